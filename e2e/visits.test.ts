import { expect } from 'vitest';
import { journey, withBrowser } from './journey.ts';

withBrowser();

journey('visit records are found by their filters, tab by tab; who finds nothing is told so and gets back with one click', async ({ page, signIn, open }) => {
  await signIn('admin');
  await open('/visitRecords');
  for (const tab of ['全部', '待接诊', '问诊中', '待完善小结', '待医生确认', '已归档', '退诊与超时']) await page.getByRole('tab', { name: new RegExp(`^${tab}（\\d+）$`) }).waitFor();
  const totals = page.getByLabel('合计');
  await totals.waitFor();
  const all = await totals.innerText();
  expect(all).toMatch(/单数 ?\s*\d+ 单/);
  await page.getByLabel('问诊编号').fill('WZ99999999999999');
  await page.getByRole('button', { name: '查询', exact: true }).click();
  await page.getByText('没有符合条件的就诊记录，请调整筛选条件').waitFor();
  expect(page.url()).toContain('inquiryNo=WZ99999999999999');
  await page.getByText('单数 0 单').or(totals.filter({ hasText: '0 单' })).first().waitFor();
  // The address alone brings the same view back.
  await page.reload();
  await page.getByText('没有符合条件的就诊记录，请调整筛选条件').waitFor();
  expect(await page.getByLabel('问诊编号').inputValue()).toBe('WZ99999999999999');
  await page.getByRole('button', { name: '重置', exact: true }).click();
  await totals.filter({ hasText: all.split('\n')[1] ?? '单' }).waitFor();
  await page.getByRole('tab', { name: /^已归档/ }).click();
  await page.waitForURL(/tab=archived/);
  await page.getByLabel('问诊编号').waitFor();
});
