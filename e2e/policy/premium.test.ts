import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { plusDays } from '../../src/kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, toast } from '../steps.ts';
import { listed } from './listFile.ts';
import { paper } from './paper.ts';
import { addPolicy, fillPerson, openPolicy, passEndorsement } from './policySteps.ts';

withBrowser();

const HOLDER = '巡检化工有限公司';
/** 365.00 for a term of 204 days; 3 of them went by: 365.00 − 5.37. */
const DUE = '359.63';

/** Opens an order at the desk, kept for who opened it. */
async function atDesk(page: Page, orderNo: string) {
  await act(page, orderNo, '审核');
  const desk = dialog(page, `保费订单 ${orderNo}`);
  await desk.getByText('由我处理', { exact: false }).waitFor();
  return desk;
}

journey(
  'a premium order is rejected with its reasons, mended, passed against the insurer’s figure, paid, and its money taken back by another accountant',
  async ({ page, enter, otherBrowser, allow, today }) => {
    allow(/auditPremiumOrder|removeAllocation|400|409|422/);
    const policyNo = `BF${today.replaceAll('-', '')}01`;
    const flowNo = `XJ-${policyNo}`;
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
    await policy.getByRole('tab', { name: '保费' }).click();
    const made = policy.getByRole('row').filter({ hasText: DUE }).first();
    const orderNo = /BF\d{14}/.exec(await made.innerText())![0];
    const orders = `/insurancePremiumOrderInquiry?premiumOrderNo=${orderNo}`;

    // It is sent back; without a reason and an opinion it is not.
    const desk = await atDesk(page, orderNo);
    await desk.getByText('没有上传凭证').waitFor();
    await page.keyboard.press('Alt+R');
    await desk.getByText('审核结论：驳回').waitFor();
    await page.keyboard.press('Control+Enter');
    await toast(page, '请选择驳回原因');
    await choose(desk, '驳回原因', '凭证缺失');
    await choose(desk, '驳回原因', '金额不符');
    const opinion = desk.getByLabel('意见', { exact: true });
    // The list of reasons closes when the opinion is written.
    await opinion.focus();
    await page.keyboard.press('Control+Enter');
    await toast(page, '请填写驳回意见');
    await opinion.fill('保司账单为359.60元，请附差异说明');
    await page.keyboard.press('Control+Enter');
    await toast(page, '审核完成!');

    await enter('product_a', orders);
    await row(page, orderNo).getByText('已驳回').waitFor();
    await act(page, orderNo, '详情');
    const drawer = dialog(page, '保费订单详情');
    await drawer.getByText('金额不符、凭证缺失').waitFor();
    await drawer.getByText('保司账单为359.60元，请附差异说明').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    // The insurer's figure is another one: not without a voucher.
    await act(page, orderNo, '编辑');
    const editing = dialog(page, `编辑保费订单 ${orderNo}`);
    await editing.getByText(`¥${DUE}`).waitFor();
    await editing.getByLabel('保司金额').fill('359.60');
    await editing.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '修改成功!');
    await editing.waitFor({ state: 'hidden' });
    const submit = async () => {
      await row(page, orderNo).getByRole('button', { name: '提交审核', exact: true }).click();
      await confirm(page);
    };
    await submit();
    await page.getByText('金额与保司不一致，请上传差异说明').first().waitFor();
    await act(page, orderNo, '编辑');
    await editing.locator('input[type=file]').setInputFiles(paper('差异说明.pdf'));
    await editing.getByText('差异说明.pdf').waitFor();
    await editing.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '修改成功!');
    await editing.waitFor({ state: 'hidden' });
    // What was uploaded is still there when it is opened again.
    await act(page, orderNo, '编辑');
    await editing.getByText('差异说明.pdf').waitFor();
    await page.keyboard.press('Escape');
    await editing.waitFor({ state: 'hidden' });
    await submit();
    await row(page, orderNo).getByText('待审核').waitFor();
    expect(await row(page, orderNo).innerText()).toMatch(/359\.63[\s\S]*359\.60[\s\S]*0\.03/);

    await enter('product_r', orders);
    await atDesk(page, orderNo);
    const amounts = desk.getByRole('row').filter({ hasText: '金额' }).filter({ hasText: '¥' });
    expect(await amounts.first().getByRole('cell').allInnerTexts()).toEqual(['金额', `¥${DUE}`, `¥${DUE}`, '¥359.60']);
    await page.keyboard.press('Alt+Y');
    await desk.getByText('审核结论：通过').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('金额与保司不一致，请填写意见').first().waitFor();
    await opinion.fill('差3分为保司按月取整，同意');
    await page.keyboard.press('Control+Enter');
    await toast(page, '审核完成!');

    await enter('fin_a', '/insurancePremiumOrderInquiry?tab=receipts');
    await page.getByRole('button', { name: '登记到账' }).click();
    const receipt = dialog(page, '登记到账');
    await receipt.getByLabel('金额').fill('500.01');
    await receipt.getByLabel('付款人').fill(HOLDER);
    await receipt.getByLabel('银行流水号').fill(flowNo);
    await receipt.getByLabel('银行账号').fill('6222020200112233');
    await receipt.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    await receipt.waitFor({ state: 'hidden' });
    await enter('fin_a', `/insurancePremiumOrderInquiry?tab=receipts&bankFlowNo=${flowNo}`);
    await act(page, flowNo, '分配');
    const settle = dialog(page, `分配到账 ${flowNo}`);
    const share = settle.getByLabel(`${orderNo}分配金额`);
    await expect.poll(() => share.inputValue()).toBe(DUE);
    await settle.getByText('¥140.38').waitFor();
    // Neither more than there is, nor more than is owed.
    await share.fill('500.02');
    await settle.getByText('分配金额超过到账记录可分配余额').waitFor();
    expect(await settle.getByRole('button', { name: '确定分配' }).isDisabled()).toBe(true);
    allow(/allocateReceipt/);
    await share.fill('359.64');
    await settle.getByRole('button', { name: '确定分配' }).click();
    await page.getByText(`分配金额超过待收付金额${DUE}元`).first().waitFor();
    await share.fill(DUE);
    await settle.getByRole('button', { name: '确定分配' }).click();
    await toast(page, '操作成功!');
    await settle.waitFor({ state: 'hidden' });
    await row(page, flowNo).getByText('140.38').waitFor();
    expect(await row(page, flowNo).innerText()).toMatch(/500\.01[\s\S]*359\.63[\s\S]*140\.38/);

    await enter('fin_a', orders);
    await row(page, orderNo).getByText('已收付').waitFor();
    await act(page, orderNo, '登记发票');
    const invoice = dialog(page, `登记保司发票 ${orderNo}`);
    await invoice.getByLabel('保司发票号').fill('FP26110001');
    await invoice.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '操作成功!');
    await invoice.waitFor({ state: 'hidden' });
    const takeBack = async (opinion: string) => {
      await act(page, orderNo, '详情');
      await row(drawer, flowNo).getByRole('button', { name: '撤销分配' }).click();
      await confirm(page, opinion);
    };
    await takeBack('登记错误');
    await page.getByText('登记人不能撤销自己的分配').first().waitFor();

    // Another accountant, who was away, comes back.
    const admins = await otherBrowser();
    await enter('admin', '/userManagement?userName=off_b', admins);
    await act(admins, '唐果', '启用');
    await confirm(admins, '返岗');
    await toast(admins, '启用成功!');
    await enter('off_b', orders);
    await takeBack('登记错误');
    await page.getByText('已登记保司发票，请先清除发票登记').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await act(page, orderNo, '登记发票');
    await invoice.getByLabel('保司发票号').fill('');
    await invoice.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '操作成功!');
    await invoice.waitFor({ state: 'hidden' });
    await takeBack('登记错误');
    await drawer.getByText(`-${DUE}`).first().waitFor();
    await drawer.getByText('待收付').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await row(page, orderNo).getByText('待收付').waitFor();
    await enter('off_b', `/insurancePremiumOrderInquiry?tab=receipts&bankFlowNo=${flowNo}`);
    await row(page, flowNo).getByText('0.00', { exact: true }).waitFor();
    expect(await row(page, flowNo).innerText()).toMatch(/500\.01[\s\S]*0\.00[\s\S]*500\.01/);
  },
);
