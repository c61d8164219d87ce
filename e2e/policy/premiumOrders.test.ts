import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, toast } from '../steps.ts';
import { listed } from './listFile.ts';
import { paper } from './paper.ts';
import { addPolicy, fillPerson, openPolicy, passEndorsement } from './policySteps.ts';

withBrowser();

const HOLDER = '巡检化工有限公司';
/** 365.00 for a term of 204 days; 3 of them went by: 365.00 − 5.37. */
const DUE = '359.63';
const NONE = '0.00';

interface Sums {
  orders: number;
  due: string;
  waiting: string;
  received: string;
}
/** What the list says of all orders that it found; nothing is to be returned here. */
const sumsOf = ({ orders, due, waiting, received }: Sums) =>
  `订单 ${orders} 笔 应收 ¥${due} 应退 ¥${NONE} 应收保费 ¥${due} 待审保费 ¥${waiting} 已收保费 ¥${received}`;
const expectSums = (page: Page, sums: Sums) =>
  expect.poll(async () => (await page.locator('.pol-totals').innerText()).split(/\s+/).join(' ')).toBe(sumsOf(sums));

/** Opens an order at the desk, kept for who opened it. */
async function atDesk(page: Page, orderNo: string) {
  await act(page, orderNo, '审核');
  const desk = dialog(page, `保费订单 ${orderNo}`);
  await desk.getByText('由我处理', { exact: false }).waitFor();
  return desk;
}

journey(
  'a premium order is made, rejected with its reasons, mended, passed, paid by a receipt, and its money taken back by another accountant',
  async ({ page, enter, open, otherBrowser, allow, today }) => {
    allow(/auditPremiumOrder|allocateReceipt|removeAllocation|400|409|422/);
    const policyNo = `BF${today.replaceAll('-', '')}01`;
    const flowNo = `XJ-${policyNo}`;
    const orders = `/insurancePremiumOrderInquiry?policyNo=${policyNo}`;
    await enter('product_a', '/policyManage');
    await addPolicy(page, { policyNo, holder: HOLDER, start: plusDays(today, -3), end: plusDays(today, 200) });
    const policy = dialog(page, '保单详情');
    await policy.getByRole('button', { name: '批改' }).click();
    await page.getByRole('menuitem', { name: '增员' }).click();
    const change = dialog(page, `批改 ${policyNo}`);
    await fillPerson(change, listed('周二鸣', 761));
    await change.getByText(DUE).first().waitFor();
    await change.getByLabel('批改原因').fill('按投保单承保');
    await change.getByRole('button', { name: '提交审核' }).click();
    await toast(page, '提交成功!');
    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await openPolicy(page, policyNo, '批单');
    await passEndorsement(page, '按投保单承保');

    // The order that came with the cover is taken back and given up; another one is made in its place.
    await enter('product_a', orders);
    await expectSums(page, { orders: 1, due: NONE, waiting: DUE, received: NONE });
    await act(page, policyNo, '撤回');
    await confirm(page);
    await row(page, policyNo).getByText('待提交').waitFor();
    await act(page, policyNo, '作废');
    await confirm(page, '改按保司账单出单');
    await row(page, policyNo).getByText('已作废').waitFor();
    await expectSums(page, { orders: 1, due: NONE, waiting: NONE, received: NONE });
    await page.getByRole('button', { name: '生成保费订单' }).click();
    const making = dialog(page, '生成保费订单');
    await making.getByRole('button', { name: /确\s*定/ }).click();
    await making.getByText('请选择保单').first().waitFor();
    await choose(making, '保单', policyNo, policyNo);
    await choose(making, '类型', '首期');
    await making.getByLabel('保司金额').fill('359.60');
    await making.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    const made = page.getByRole('row').filter({ hasText: '待提交' }).first();
    const orderNo = /BF\d{14}/.exec(await made.innerText())![0];
    await expectSums(page, { orders: 2, due: NONE, waiting: DUE, received: NONE });

    // The insurer's figure is another one: not without a voucher.
    const submit = async () => {
      await act(page, orderNo, '提交审核');
      await confirm(page);
    };
    await submit();
    await page.getByText('金额与保司不一致，请上传差异说明').first().waitFor();
    await act(page, orderNo, '编辑');
    const editing = dialog(page, `编辑保费订单 ${orderNo}`);
    await editing.getByText(`¥${DUE}`).waitFor();
    await editing.locator('input[type=file]').setInputFiles(paper('差异说明.pdf'));
    await editing.getByRole('button', { name: '差异说明.pdf' }).waitFor();
    await editing.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '修改成功!');
    await editing.waitFor({ state: 'hidden' });
    await submit();
    await row(page, orderNo).getByText('待审核').waitFor();
    expect(await row(page, orderNo).innerText()).toMatch(/359\.63[\s\S]*359\.60[\s\S]*0\.03/);

    // It is sent back; without a reason and an opinion it is not.
    await enter('product_r', orders);
    const desk = await atDesk(page, orderNo);
    await page.keyboard.press('Alt+R');
    await desk.getByText('审核结论：驳回').waitFor();
    await page.keyboard.press('Control+Enter');
    await toast(page, '请选择驳回原因');
    await choose(desk, '驳回原因', '期间错误');
    await choose(desk, '驳回原因', '金额不符');
    const opinion = desk.getByLabel('意见', { exact: true });
    await opinion.focus();
    await page.keyboard.press('Control+Enter');
    await toast(page, '请填写驳回意见');
    await opinion.fill('保司账单是旧的，请核对');
    await page.keyboard.press('Control+Enter');
    await toast(page, '审核完成!');

    await enter('product_a', orders);
    await page.getByRole('tab', { name: '待提交' }).click();
    await row(page, orderNo).getByText('已驳回').waitFor();
    await expectSums(page, { orders: 1, due: NONE, waiting: DUE, received: NONE });
    await act(page, orderNo, '详情');
    const drawer = dialog(page, '保费订单详情');
    await drawer.getByText('金额不符、期间错误').waitFor();
    await drawer.getByText('保司账单是旧的，请核对').first().waitFor();
    await drawer.getByText('差异说明.pdf').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await act(page, orderNo, '编辑');
    await editing.getByText('差异说明.pdf').waitFor();
    await editing.getByLabel('保司金额').fill(DUE);
    await editing.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '修改成功!');
    await editing.waitFor({ state: 'hidden' });
    await submit();
    await row(page, orderNo).waitFor({ state: 'detached' });

    await enter('product_r', orders);
    await atDesk(page, orderNo);
    const amounts = desk.getByRole('row').filter({ hasText: '金额' }).filter({ hasText: '¥' });
    expect(await amounts.first().getByRole('cell').allInnerTexts()).toEqual(['金额', `¥${DUE}`, `¥${DUE}`, `¥${DUE}`]);
    await page.keyboard.press('Alt+Y');
    await desk.getByText('审核结论：通过').waitFor();
    await page.keyboard.press('Control+Enter');
    await toast(page, '审核完成!');

    await enter('fin_a', orders);
    await row(page, orderNo).getByText('待收付').waitFor();
    await expectSums(page, { orders: 2, due: DUE, waiting: NONE, received: NONE });
    await open(`/insurancePremiumOrderInquiry?tab=receipts&bankFlowNo=${flowNo}`);
    await page.getByRole('button', { name: '登记到账' }).click();
    const receipt = dialog(page, '登记到账');
    await receipt.getByLabel('金额').fill('500.01');
    await receipt.getByLabel('付款人').fill(HOLDER);
    await receipt.getByLabel('银行流水号').fill(flowNo);
    await receipt.getByLabel('银行账号').fill('6222020200112233');
    await receipt.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    await receipt.waitFor({ state: 'hidden' });
    await act(page, flowNo, '分配');
    const settle = dialog(page, `分配到账 ${flowNo}`);
    const share = settle.getByLabel(`${orderNo}分配金额`);
    // The payer's order is suggested, as far as it is open; neither more than there is goes to it, nor more than is owed.
    await expect.poll(() => share.inputValue()).toBe(DUE);
    await settle.getByText('¥140.38').waitFor();
    await share.fill('500.02');
    await settle.getByText('分配金额超过到账记录可分配余额').waitFor();
    expect(await settle.getByRole('button', { name: '确定分配' }).isDisabled()).toBe(true);
    await share.fill('359.64');
    await settle.getByRole('button', { name: '确定分配' }).click();
    await page.getByText(`分配金额超过待收付金额${DUE}元`).first().waitFor();
    await share.fill(DUE);
    await settle.getByRole('button', { name: '确定分配' }).click();
    await toast(page, '操作成功!');
    await settle.waitFor({ state: 'hidden' });
    await row(page, flowNo).getByText('140.38').waitFor();
    expect(await row(page, flowNo).innerText()).toMatch(/500\.01[\s\S]*359\.63[\s\S]*140\.38/);

    await open(orders);
    await row(page, orderNo).getByText('已收付').waitFor();
    await expectSums(page, { orders: 2, due: DUE, waiting: NONE, received: DUE });
    const takeBack = async () => {
      await act(page, orderNo, '详情');
      await row(drawer, flowNo).getByRole('button', { name: '撤销分配' }).click();
      await confirm(page, '分配到了错误的订单');
    };
    await takeBack();
    await page.getByText('登记人不能撤销自己的分配').first().waitFor();

    // Another accountant, who was away, comes back.
    const admins = await otherBrowser();
    await enter('admin', '/userManagement?userName=off_b', admins);
    await act(admins, 'off_b', '启用');
    await confirm(admins, '返岗');
    await toast(admins, '启用成功!');
    await enter('off_b', orders);
    await takeBack();
    await drawer.getByText(`-${DUE}`).first().waitFor();
    await drawer.getByText('待收付').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await row(page, orderNo).getByText('待收付').waitFor();
    await expectSums(page, { orders: 2, due: DUE, waiting: NONE, received: NONE });
    await open(`/insurancePremiumOrderInquiry?tab=receipts&bankFlowNo=${flowNo}`);
    await row(page, flowNo).getByText('500.01').first().waitFor();
    expect(await row(page, flowNo).innerText()).toMatch(/500\.01[\s\S]*0\.00[\s\S]*500\.01/);
  },
);
