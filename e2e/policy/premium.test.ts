import { expect } from 'vitest';
import { plusDays } from '../../src/kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, toast } from '../steps.ts';
import { newPerson, newPolicy, passEndorsement } from './steps.ts';

withBrowser();

journey(
  'a premium order is sent back with a reason, handed in again, passed, paid to the fen in two parts, and one part is taken back by another person',
  async ({ page, enter, today, allow }) => {
    const policyNo = `JP${today.replaceAll('-', '')}01`;
    const holder = '巡检保费有限公司';
    await enter('product_a', '/policyManage');
    await newPolicy(page, { policyNo, holder, from: today, to: plusDays(today, 364) });
    const policy = dialog(page, '保单详情');
    await policy.getByRole('button', { name: '批改' }).click();
    await page.getByRole('menuitem', { name: '增员' }).click();
    await newPerson(page, policyNo, { name: '吴小青', idNo: '110101199003070038', reason: '新员工参保' });
    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await act(page, policyNo, '详情');
    await passEndorsement(page, '新员工参保');
    await policy.getByRole('tab', { name: '保费' }).click();
    const made = policy.getByRole('row').filter({ hasText: '365.00' }).first();
    await made.getByText('待审核').waitFor();
    const orderNo = /BF\d{14}/.exec(await made.innerText())![0];
    const inquiry = `/insurancePremiumOrderInquiry?premiumOrderNo=${orderNo}`;

    // The desk hands out what waits longest; what is given back waits again.
    await enter('product_r', '/insurancePremiumOrderAudit');
    await row(page, orderNo).waitFor();
    await page.keyboard.press('Alt+N');
    const desk = dialog(page, /保费订单 BF\d{14}/);
    await desk.getByText('由我处理', { exact: false }).waitFor();
    await desk.getByRole('button', { name: /^退回/ }).click();
    await toast(page, '操作成功!');
    await enter('product_r', inquiry);
    await act(page, orderNo, '审核');
    const own = dialog(page, `保费订单 ${orderNo}`);
    await own.getByText('由我处理', { exact: false }).waitFor();
    await page.keyboard.press('Alt+R');
    await own.getByText('审核结论：驳回').waitFor();
    await page.keyboard.press('Control+Enter');
    await toast(page, '请选择驳回原因');
    await choose(own, '驳回原因', '凭证缺失');
    await page.keyboard.press('Escape');
    await own.getByLabel('意见').fill('请补充保司账单');
    await page.keyboard.press('Control+Enter');
    await toast(page, '审核完成!');

    await enter('product_a', inquiry);
    await row(page, orderNo).getByText('已驳回').waitFor();
    await act(page, orderNo, '详情');
    const detail = dialog(page, '保费订单详情');
    await detail.getByText('请补充保司账单').first().waitFor();
    await detail.getByRole('button', { name: 'Close' }).click();
    await act(page, orderNo, '提交');
    await confirm(page);
    await toast(page, '操作成功!');
    await row(page, orderNo).getByText('待审核').waitFor();

    await enter('product_r', `/insurancePremiumOrderAudit`);
    await row(page, orderNo).click();
    await own.getByText('由我处理', { exact: false }).waitFor();
    await page.keyboard.press('Alt+Y');
    await own.getByText('审核结论：通过').waitFor();
    await own.getByLabel('意见').fill('账单已补充');
    await page.keyboard.press('Control+Enter');
    await toast(page, '审核完成!');

    // Money comes in; the order of its payer is suggested with what it wants.
    const flow = `PR${orderNo}`;
    await enter('fin_a', '/insurancePremiumOrderInquiry?tab=receipts');
    await page.getByRole('button', { name: '登记到账' }).click();
    const receipt = dialog(page, '登记到账');
    await receipt.getByRole('button', { name: /确\s*定/ }).click();
    await receipt.getByText('请输入付款人').waitFor();
    await receipt.getByLabel('金额').fill('365');
    await receipt.getByLabel('付款人').fill(holder);
    await receipt.getByLabel('银行流水号').fill(flow);
    await receipt.getByLabel('银行账号').fill('6222020200112233');
    await receipt.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    await enter('fin_a', `/insurancePremiumOrderInquiry?tab=receipts&bankFlowNo=${flow}`);
    await act(page, flow, '分配');
    const share = dialog(page, `分配到账 ${flow}`);
    const amount = share.getByLabel(`${orderNo}分配金额`);
    await expect.poll(() => amount.inputValue()).toBe('365.00');
    await amount.fill('365.01');
    await share.getByText('分配金额超过到账记录可分配余额').waitFor();
    expect(await share.getByRole('button', { name: '确定分配' }).isDisabled()).toBe(true);
    await amount.fill('100.01');
    await share.getByText('¥264.99').waitFor();
    // A second click changes nothing: the first one is on its way.
    await share.getByRole('button', { name: '确定分配' }).dblclick();
    await toast(page, '操作成功!');
    await row(page, flow).getByText('264.99').waitFor();
    await act(page, flow, '分配');
    await expect.poll(() => amount.inputValue()).toBe('264.99');
    await share.getByRole('button', { name: '确定分配' }).click();
    await toast(page, '操作成功!');
    await enter('fin_a', inquiry);
    await row(page, orderNo).getByText('已收付').waitFor();

    // Whoever booked a part does not take it back himself.
    const takeBack = async (opinion: string) => {
      await act(page, orderNo, '详情');
      await row(detail, '264.99').getByRole('button', { name: '撤销分配' }).click();
      await confirm(page, opinion);
    };
    allow(/removeAllocation/);
    await takeBack('登记有误');
    await toast(page, '登记人');
    // The demonstration's second accountant was switched off.
    await enter('admin', '/userManagement?userName=off_b');
    await act(page, 'off_b', '启用');
    await confirm(page, '返岗');
    await toast(page, '启用成功!');
    await enter('off_b', inquiry);
    await takeBack('付款方撤回');
    await detail.getByText('部分收付').first().waitFor();
    await row(detail, '264.99').getByText('已撤销').waitFor();

    // Who only looks sees the order and no act on it.
    await enter('audit_a', inquiry);
    await row(page, orderNo).getByText('部分收付').waitFor();
    expect(await page.getByRole('button', { name: /登记收付|审核保费订单|登记发票/ }).count()).toBe(0);
  },
);
