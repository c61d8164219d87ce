import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';

// What an operator makes of a list stays his: columns as he arranged them, and views that bring their own arrangement with them.
withBrowser();

const headsOf = (page: Page) =>
  page
    .locator('.kq-page:visible .kq-grid-head [data-column]')
    .evaluateAll((heads) => heads.map((head) => (head as HTMLElement).innerText.trim()));
const head = (page: Page, title: string) =>
  page.locator('.kq-page:visible .kq-grid-head').getByRole('columnheader', { name: title, exact: true });
const widthOf = async (page: Page, title: string) => (await head(page, title).boundingBox())!.width;

journey('columns are dragged wider, ordered and pinned, and a view keeps them apart from the list’s own', async ({ page, enter }) => {
  await enter('admin', '/policyManage');
  await page.locator('.kq-page:visible [role=rowgroup] > .kq-tr').first().waitFor();
  // The sums stand in the line above the list.
  await page.getByText('已收保费 ¥').waitFor();
  const title = '终保日期';
  const before = await widthOf(page, title);
  const handle = head(page, title).locator('.kq-th-handle');
  const box = (await handle.boundingBox())!;
  await page.mouse.move(box.x + 4, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 84, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await widthOf(page, title)) - before)).toBe(80);

  // By keys alone: the column settings are opened, a line moved by Alt and an arrow, a column pinned.
  await page.getByRole('button', { name: '视图' }).click();
  await page.getByText('保存与管理视图…').click();
  await page.getByPlaceholder('视图名称').fill('我的列');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '视图：我的列', exact: true }).waitFor();
  await page.getByRole('button', { name: '列设置' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '固定状态', exact: true }).press('Enter');
  await expect.poll(async () => (await headsOf(page))[0]).toBe('状态');
  const place = async () => (await headsOf(page)).indexOf(title);
  const stood = await place();
  await page.getByRole('button', { name: `${title}上移` }).press('Alt+ArrowUp');
  await expect.poll(place).toBe(stood - 1);
  const arranged = await headsOf(page);
  await page.keyboard.press('Escape');

  // The view is left: the list is as it was before, but for its own width.
  await page.getByRole('button', { name: '视图：我的列' }).click();
  await page.getByRole('menuitem', { name: '不使用视图' }).click();
  await page.getByRole('button', { name: '视图', exact: true }).waitFor();
  expect((await headsOf(page))[0]).not.toBe('状态');
  expect(Math.round((await widthOf(page, title)) - before)).toBe(80);

  await page.getByRole('button', { name: '视图', exact: true }).click();
  await page.getByRole('menuitem', { name: '我的列' }).click();
  await expect.poll(() => headsOf(page)).toEqual(arranged);
  // Another question is asked: the view says so, and leads back.
  await page.getByRole('search').getByRole('textbox').first().fill('P2');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '视图：我的列（已改）' }).click();
  await page.getByRole('menuitem', { name: '恢复为“我的列”' }).click();
  await page.getByRole('button', { name: '视图：我的列', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: '视图：我的列', exact: true }).waitFor();
  await expect.poll(() => headsOf(page)).toEqual(arranged);
});
