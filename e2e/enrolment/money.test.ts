import type { Locator } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';
import { act, confirm, day, dialog, row, toast } from '../steps.ts';

withBrowser();

const PAPER = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);
async function attach(form: Locator, name: string): Promise<void> {
  await form.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer: PAPER });
  await form.getByRole('button', { name: '移除' }).waitFor();
}

journey(
  'a fee that came by bank is entered by one person and counted by another; so is a part that goes back',
  async ({ page, enter, today }) => {
    await enter('enrol_s', '/signContractList?tab=pays');
    const due = page.getByRole('row').filter({ hasText: '待支付' }).first();
    await due.waitFor();
    const payNo = /QY\d{14}/.exec(await due.innerText())![0];
    await due.getByRole('button', { name: '支付详情' }).click();
    await act(page, payNo, '登记线下支付');
    const entry = dialog(page, '登记线下支付');
    await entry.getByText('支付期限').waitFor();
    const sum = await entry.getByLabel('到账金额').inputValue();
    await day(entry, '到账日期', today);
    await entry.getByLabel('银行流水号').fill(`HD${payNo}`);
    await attach(entry, '到账回单.pdf');
    await entry.getByLabel('到账金额').fill('1.01');
    await entry.getByRole('button', { name: '提交复核' }).click();
    await entry.getByText('支付金额与应付金额不一致').waitFor();
    await entry.getByLabel('到账金额').fill(sum);
    await entry.getByRole('button', { name: '提交复核' }).click();
    await toast(page, '登记成功!');
    const address = new URL(page.url());
    const details = address.pathname + address.search;

    await enter('fin_r', details);
    await act(page, payNo, '复核到账');
    await confirm(page, '与银行流水一致');
    await toast(page, '修改成功!');
    await row(page, payNo).getByText('已支付').waitFor();

    await enter('enrol_s', details);
    await act(page, payNo, '申请退款');
    const wish = dialog(page, '申请退款');
    await wish.getByLabel('退款金额').fill('99999');
    await wish.getByLabel('退款原因').fill('客户多付');
    await wish.getByRole('button', { name: '提交复核' }).click();
    await wish.getByText(/^退款金额超过可退金额/).waitFor();
    await wish.getByLabel('退款金额').fill('1.00');
    await wish.getByRole('button', { name: '提交复核' }).click();
    await toast(page, '提交成功!');
    const refund = page
      .getByRole('row')
      .filter({ hasText: /TK\d{14}/ })
      .first();
    await refund.getByText('待复核').waitFor();
    const refundNo = /TK\d{14}/.exec(await refund.innerText())![0];

    await enter('fin_r', details);
    await act(page, refundNo, '同意退款');
    const paidBack = dialog(page, '同意退款');
    await paidBack.getByRole('button', { name: '确定', exact: true }).click();
    await paidBack.getByText('请输入打款流水号').waitFor();
    await paidBack.getByLabel('打款流水号').fill(`HD${refundNo}`);
    await day(paidBack, '打款日期', today);
    await attach(paidBack, '打款回单.pdf');
    await paidBack.getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '修改成功!');
    await row(page, refundNo).getByText('已退款').waitFor();
  },
);
