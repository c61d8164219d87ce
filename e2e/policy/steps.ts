import type { Page } from 'playwright-core';
import { choose, day, dialog, toast } from '../steps.ts';

/** A policy of the chronic medicine product, entered by whoever is on its page. */
export async function newPolicy(
  page: Page,
  { policyNo, holder, from, to }: { policyNo: string; holder: string; from: string; to: string },
): Promise<void> {
  await page.getByRole('button', { name: '新增保单' }).click();
  const form = dialog(page, '新增保单');
  await form.getByLabel('保单号', { exact: true }).fill(policyNo);
  await choose(form, '产品', '人保慢病药品险', '人保慢病');
  await form.getByLabel('投保人名称').fill(holder);
  await day(form, '起保日期', from);
  await day(form, '终保日期', to);
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '新增成功!');
}

/** Somebody to take in, in the open form of an endorsement. */
export async function newPerson(page: Page, policyNo: string, person: { name: string; idNo: string; reason: string }): Promise<void> {
  const form = dialog(page, `批改 ${policyNo}`);
  await choose(form, '计划', 'P1 一档');
  await form.getByLabel('姓名').fill(person.name);
  await form.getByLabel('证件号').fill(person.idNo);
  await form.getByText('影响分析').waitFor();
  await form.getByLabel('批改原因').fill(person.reason);
  await form.getByRole('button', { name: '提交审核' }).click();
  await toast(page, '提交成功!');
}

/** Passes the endorsement of a reason, on the page of its policy. */
export async function passEndorsement(page: Page, reason: string): Promise<void> {
  const policy = dialog(page, '保单详情');
  await policy.getByRole('tab', { name: '批单' }).click();
  await policy.getByRole('row').filter({ hasText: reason }).getByRole('button', { name: '审核' }).click();
  const check = dialog(page, '审核批单');
  await check.getByLabel('复核意见').fill('资料齐全');
  await check.getByRole('button', { name: '审核通过' }).click();
  await toast(page, '审核完成!');
}
