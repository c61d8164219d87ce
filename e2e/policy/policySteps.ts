import type { Locator, Page } from 'playwright-core';
import { choose, day, dialog, row, toast } from '../steps.ts';

export interface NewPolicy {
  policyNo: string;
  holder: string;
  start: string;
  end: string;
  /** Persons whom the holder declares. */
  declared?: string;
}

/** Enters a policy of the chronic drug product, as an operator of products who stands on the list of policies. */
export async function addPolicy(page: Page, { policyNo, holder, start, end, declared }: NewPolicy): Promise<void> {
  await page.getByRole('button', { name: '新增保单' }).click();
  const form = dialog(page, '新增保单');
  await form.getByLabel('保单号', { exact: true }).fill(policyNo);
  await choose(form, '产品', '人保慢病药品险', '人保慢病');
  await form.getByLabel('投保人名称').fill(holder);
  await day(form, '起保日期', start);
  await day(form, '终保日期', end);
  if (declared !== undefined) await form.getByLabel('申报人数').fill(declared);
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '新增成功!');
  await form.waitFor({ state: 'hidden' });
}

/** Whom an endorsement brings in, in its form. */
export async function fillPerson(change: Locator, { name, idNo, mobile }: { name: string; idNo: string; mobile?: string }): Promise<void> {
  await choose(change, '计划', 'P1 一档');
  await change.getByLabel('姓名').fill(name);
  await change.getByLabel('证件号').fill(idNo);
  if (mobile !== undefined) await change.getByLabel('手机号').fill(mobile);
}

/** Opens a policy's drawer on one of its tabs, as somebody who stands on the list of policies. */
export async function openPolicy(page: Page, policyNo: string, tab: string): Promise<Locator> {
  await row(page, policyNo).getByRole('button', { name: '详情', exact: true }).click();
  const policy = dialog(page, '保单详情');
  await policy.getByRole('tab', { name: tab }).click();
  return policy;
}

/** Looks at what somebody else made of a policy and passes it. */
export async function passEndorsement(page: Page, reason: string): Promise<void> {
  await row(page, reason).getByRole('button', { name: '审核', exact: true }).click();
  const check = dialog(page, '审核批单');
  await check.getByLabel('复核意见').fill('资料齐全');
  await check.getByRole('button', { name: '审核通过' }).click();
  await toast(page, '审核完成!');
  await check.waitFor({ state: 'hidden' });
}
