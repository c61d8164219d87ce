import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { choose, confirm, day, dialog, row, toast } from '../steps.ts';

withBrowser();

const RECEIPT = path.join(tmpdir(), 'kangqiao-receipt.pdf');
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

journey('a purchase in a store is registered by one person, reviewed by another, and becomes an order', async ({ page, enter, today }) => {
  writeFileSync(RECEIPT, PDF);
  await enter('fulfil_a', '/manualorders');
  await page.getByRole('button', { name: '新增手工订单' }).click();
  const form = dialog(page, '新增手工订单');
  await form.getByRole('button', { name: '提交复核' }).click();
  await form.getByText('请输入小票号').waitFor();

  await form.getByLabel('患者姓名').fill('贺新凉');
  await form.getByLabel('手机号').fill('13644445555');
  await choose(form, '药店', '药房', '药房');
  await form.getByLabel('小票号').fill('XP-JOURNEY-1');
  await day(form, '购药日期', today);
  await choose(form, '商品编码', '酒石酸美托洛尔片', '美托洛尔');
  await form.getByLabel('单价（元）').fill('26.80');
  await form.getByLabel('门店审方药师').fill('李药师');
  await form.locator('input[type=file]').setInputFiles(RECEIPT);
  await form.getByRole('tab', { name: /凭证1/ }).waitFor();
  await form.getByText('没有匹配的患者档案').waitFor();
  expect(await form.getByLabel('自付金额（元）').inputValue()).toBe('26.80');
  await form.getByRole('button', { name: '提交复核' }).click();
  await toast(page, '提交成功!');
  const mine = row(page, 'XP-JOURNEY-1');
  await mine.getByText('待复核').waitFor();
  const manualNo = /MO\d{14}/.exec(await mine.innerText())![0];

  await enter('fulfil_s', `/manualorders?manualNo=${manualNo}`);
  await row(page, manualNo).click();
  const review = dialog(page, `手工订单 ${manualNo}`);
  await review.getByRole('button', { name: '复核通过' }).click();
  const passing = dialog(page, `复核通过 ${manualNo}`);
  await passing.getByRole('button', { name: '复核通过' }).click();
  await toast(page, '复核成功!');
  await review.getByText('已落单').first().waitFor({ timeout: 30_000 });
  await review.getByRole('link', { name: /^OR\d{14}$/ }).click();
  const order = dialog(page, '订单 OR');
  await order.getByText('手工补录').first().waitFor();
});

journey('a draft is voided with its reason; exceptions are taken from their own part of the page', async ({ page, enter }) => {
  await enter('fulfil_a', '/manualorders?state=DRAFT');
  await row(page, '草稿').click();
  const drawer = dialog(page, '手工订单 MO');
  await drawer.getByRole('button', { name: '作废' }).click();
  await confirm(page, '重复录入');
  await toast(page, '已作废');
  await drawer.getByText('已作废').first().waitFor();

  await enter('fulfil_a', '/manualorders?tab=exceptions');
  await page.getByRole('tab', { name: /^无可用供应商（\d+）$/ }).waitFor();
  await page.getByRole('button', { name: '领取下一件' }).click();
  await toast(page, '领取成功');
  // The order opens where it is stuck, with the step that helps.
  const taken = dialog(page, '订单 OR');
  await taken.getByRole('tab', { name: '异常工单', selected: true }).waitFor();
  await row(taken, '处理中').getByRole('button', { name: '人工分配' }).click();
  const assign = dialog(page, '人工分配 OR');
  await assign.getByText('分配数量之和须等于待分配数量').waitFor();
  expect(await assign.getByRole('button', { name: '分配', exact: true }).isDisabled()).toBe(true);
});
