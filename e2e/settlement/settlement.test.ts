import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, search, toast } from '../steps.ts';

withBrowser();

journey(
  'a month of a doctor is checked by two, paid in a batch by a third, and stands as paid by what the bank says',
  async ({ page, enter }) => {
    // Who has an account that was looked at.
    await enter('fin_a', '/accountInquiry');
    const sure = page.getByRole('row').filter({ hasText: '已验证' });
    await sure.first().waitFor();
    const names = (await sure.allInnerTexts()).map((text) => text.trim().split(/\s/)[0]!);
    await enter('fin_a', '/doctorSettlement');
    const waiting = page
      .getByRole('row')
      .filter({ hasText: '待核对' })
      .filter({ hasText: new RegExp(names.join('|')) })
      .first();
    await waiting.waitFor();
    const said = await waiting.innerText();
    const billNo = /JS\d{14}/.exec(said)![0];
    const payer = /健康科技|医药服务/.exec(said)![0];
    await act(page, billNo, '提交审核');
    await confirm(page);
    await toast(page, '提交成功!');
    await enter('fin_r', '/doctorSettlement');
    await search(page, '结算单号', billNo);
    await act(page, billNo, '审核通过');
    await confirm(page, '与收入明细核对一致');
    await toast(page, '审核完成!');
    await row(page, '待付款').waitFor();

    await enter('fin_a', '/incomeSettle');
    await page.getByRole('button', { name: '新建付款批次' }).click();
    const wish = dialog(page, '新建付款批次');
    await choose(wish, '付款主体', payer);
    await wish.getByLabel(new RegExp(billNo)).check();
    await wish.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    const draft = page.getByRole('row').filter({ hasText: '待提交' }).first();
    await draft.waitFor();
    const batchNo = /FK\d{14}/.exec(await draft.innerText())![0];
    await act(page, batchNo, '提交复核');
    await confirm(page);
    await toast(page, '提交成功!');
    await enter('fin_r', '/incomeSettle');
    await search(page, '批次号', batchNo);
    await act(page, batchNo, '复核通过');
    await confirm(page, '金额与结算单一致');
    await toast(page, '复核完成!');
    await enter('cashier', '/incomeSettle');
    await search(page, '批次号', batchNo);
    await act(page, batchNo, '生成银行文件');
    const saved = page.waitForEvent('download');
    await confirm(page, '网银代付');
    await saved;
    await row(page, '已出盘').waitFor();
  },
);
