import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { act, dialog, row, toast } from '../steps.ts';

// What a page of definitions opens of its domain, and how the keyboard goes into the frame and comes back.
withBrowser();

journey('a difference is registered in the window of a bill, and the list behind it knows', async ({ page, enter }) => {
  await enter('fin_a', '/tHmoCardSettlement');
  const frame = page.locator('iframe:visible').first().contentFrame();
  const waiting = frame.locator('.antd-Crud tbody tr').filter({ hasText: '待对方确认' }).first();
  await waiting.waitFor();
  const billNo = /SL\d+/.exec(await waiting.innerText())![0];

  await page.getByRole('link', { name: '储值结算', exact: true }).first().focus();
  await page.keyboard.press('/');
  const search = frame.locator('.kq-filter input[name=billNo]');
  await expect.poll(() => search.evaluate((field) => document.activeElement === field && document.hasFocus())).toBe(true);
  await page.keyboard.type(billNo);
  await page.keyboard.press('Enter');
  await expect.poll(() => frame.locator('.antd-Crud tbody tr').count()).toBe(1);

  const open = frame.locator('.antd-Crud tbody tr').filter({ hasText: billNo }).getByRole('button', { name: '明细' });
  await open.click();
  const lines = dialog(page, `结算明细 ${billNo}`);
  const line = lines.locator('.kq-tr').filter({ hasText: /WO\d+/ }).first();
  const sourceNo = /WO\d+/.exec(await line.innerText())![0];
  await act(page, sourceNo, '登记差异');
  const form = dialog(page, `登记差异 ${sourceNo}`);
  await form.getByLabel('对方金额').fill('1.23');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '提交成功!');
  await row(lines, sourceNo).getByText('金额不符').waitFor();
  await lines
    .getByRole('button', { name: '关闭' })
    .or(lines.getByRole('button', { name: 'Close' }))
    .first()
    .click();
  await expect.poll(() => open.evaluate((button) => document.activeElement === button && document.hasFocus())).toBe(true);

  const disputed = frame.locator('.antd-Crud tbody tr').filter({ hasText: billNo }).filter({ hasText: '有差异' });
  await disputed.getByRole('button', { name: '确认', exact: true }).click();
  await dialog(page, `确认结算单 ${billNo}`).getByText('尚有1条差异未处理').waitFor();
});
