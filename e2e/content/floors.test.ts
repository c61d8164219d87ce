import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { confirm, dialog, slowDoubleClick, toast } from '../steps.ts';

withBrowser();

journey('a floor is added to a page, copied, hidden and removed, and the page is submitted', async ({ page, enter }) => {
  await enter('admin', '/bannerConfig?tab=floor&pageCode=ST_HOME');
  const types = page.getByRole('region', { name: '楼层类型' });
  await types.getByRole('button', { name: '金刚区' }).click();
  const form = dialog(page, '新增楼层：金刚区');
  await form.getByLabel('楼层名称').fill('巡店工具');
  for (const n of [1, 2, 3]) {
    await form.getByRole('button', { name: '添加内容' }).click();
    await form.getByLabel(`第${n}项标题`).fill(`工具${n}`);
  }
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await page.getByText('金刚区须为4至10个图标').first().waitFor();
  await form.getByRole('button', { name: '添加内容' }).click();
  await form.getByLabel('第4项标题').fill('工具4');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  const floors = page.getByRole('article').filter({ hasText: '巡店工具' });
  await expect.poll(() => floors.count()).toBe(1);
  await page.getByText('新增：巡店工具').waitFor();
  await floors.getByRole('button', { name: '巡店工具' }).click();
  await slowDoubleClick(page, floors.getByRole('button', { name: '复制' }), /copyFloor/);
  await expect.poll(() => floors.count()).toBe(2);
  await floors.first().getByRole('button', { name: '隐藏' }).click();
  await floors.first().getByText('已隐藏').waitFor();
  await floors.first().getByRole('button', { name: '删除' }).click();
  await confirm(page);
  await toast(page, '删除成功!');
  await expect.poll(() => floors.count()).toBe(1);
  await page.getByRole('button', { name: '提交审核' }).click();
  await dialog(page, '提交审核')
    .getByRole('button', { name: /确\s*定/ })
    .click();
  await toast(page, '操作成功!');
  await page.getByText('待审核').first().waitFor();
});
