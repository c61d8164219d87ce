import { expect, inject } from 'vitest';
import { plusDays, showInstant } from '#kernel/contract/time.ts';
import type { Page } from 'playwright-core';
import { nextMinute } from '../clock.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, day, dialog, row, search, toast } from '../steps.ts';

withBrowser();

const TYPE = '众安HMO门诊储值卡';

/** Writes an amount off a card by hand, for an order that waits at the counter since the product started. */
async function writeOff(
  page: Page,
  cardNo: string,
  orderOf: (day: string) => string,
  days: readonly string[],
  yuan: string,
): Promise<string> {
  await page.getByRole('button', { name: '人工核销' }).click();
  const desk = dialog(page, '人工核销');
  await desk.getByRole('button', { name: '查询' }).click();
  await desk.getByText('请输入卡号').waitFor();
  await desk.getByLabel('卡号（扫卡或输入）').fill(cardNo);
  let found = '';
  for (const day of days) {
    await desk.getByLabel('订单号').fill(orderOf(day));
    await desk.getByRole('button', { name: '查询' }).click();
    const answer = desk.getByText(/订单应付|不存在/).first();
    await answer.waitFor();
    if (!(await answer.innerText()).includes('不存在')) {
      found = orderOf(day);
      break;
    }
  }
  await desk.getByLabel('核销金额').fill('999999');
  await desk.getByText(/核销金额不能大于/).waitFor();
  await desk.getByLabel('核销金额').fill(yuan);
  await desk.getByRole('button', { name: '确认核销' }).click();
  await toast(page, '核销成功!');
  await desk.waitFor({ state: 'hidden' });
  return found;
}

journey(
  'cards are made, value is granted by two, spent twice at a store, and settled with the insurer to the fen',
  async ({ page, enter, today }) => {
    const due = () => nextMinute(inject('address'));

    await enter('card_a', '/cardManagement');
    await search(page, '编码或名称', TYPE);
    await act(page, TYPE, '新建批次');
    const wish = dialog(page, '新建批次');
    await wish.getByRole('button', { name: /确\s*定|保\s*存/ }).click();
    await wish
      .getByText(/请输入数量|数量须为1–100000的整数/)
      .first()
      .waitFor();
    await wish.getByLabel('数量').fill('5');
    await wish.getByLabel('用途').fill('门诊月度发放备用');
    await wish.getByRole('button', { name: /确\s*定|保\s*存/ }).click();
    await toast(page, '新增成功!');

    await enter('card_a', '/cardBatchManagement');
    const draft = page.getByRole('row').filter({ hasText: '草稿' }).filter({ hasText: TYPE }).first();
    await draft.waitFor();
    const batchNo = /[A-Z]{2}\d{10,}/.exec(await draft.innerText())![0];
    // A double click asks once.
    await row(page, batchNo).getByRole('button', { name: '提交审批' }).dblclick();
    await confirm(page);
    await toast(page, '操作成功!');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await enter('card_r', '/cardBatchManagement');
    await search(page, '批次号', batchNo);
    await act(page, batchNo, '批准');
    await confirm(page, '数量与预算一致');
    await toast(page, '操作成功!');
    await enter('card_a', '/cardBatchManagement');
    await search(page, '批次号', batchNo);
    await act(page, batchNo, '制卡');
    await confirm(page);
    await toast(page, '已开始生成');
    await due();

    await enter('card_a', '/valueCardGrant');
    await page.getByRole('button', { name: /新\s*增/ }).click();
    const form = dialog(page, '新增发放');
    await choose(form, '卡种', TYPE, '众安HMO');
    await form.getByLabel('姓名').fill('巡店顾客');
    await form.getByLabel('证件号').fill('110101199003070011');
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await form.getByText('请输入正确的手机号').first().waitFor();
    await form.getByLabel('手机号').fill('13900001234');
    await form.getByLabel('发放金额（元）').fill('323.45');
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    const grant = page.getByRole('row').filter({ hasText: '323.45' }).first();
    await grant.waitFor();
    const grantNo = /GR\d{14}/.exec(await grant.innerText())![0];
    await act(page, grantNo, '提交');
    await confirm(page);
    await toast(page, /成功!/);
    await enter('card_r', '/valueCardGrant');
    await search(page, '发放单号', grantNo);
    await act(page, grantNo, '批准');
    await confirm(page, '名单与申请一致');
    await toast(page, '操作成功!');
    await due();

    await enter('card_a', `/valueCardGrant?tab=lines`);
    await page.getByLabel('发放单号', { exact: true }).last().fill(grantNo);
    await page.getByRole('button', { name: '查询' }).last().click();
    const line = row(page, grantNo);
    await line.getByText('成功').waitFor();
    await line.getByRole('link').first().click();
    await page.getByLabel('卡面').waitFor();
    await page.getByRole('button', { name: '查看完整信息' }).first().click();
    await confirm(page, '柜台核销');
    const shown = page.locator('.kq-masked .kq-number').first();
    await expect.poll(() => shown.innerText()).toMatch(/^[\d ]{16,}$/);
    const cardNo = (await shown.innerText()).replaceAll(' ', '');
    const sums = page.locator('.card-sums');
    expect(await sums.innerText()).toContain('323.45');

    await enter('card_a', '/cardGrantCancel');
    const days = [today, plusDays(today, -1), plusDays(today, 1)];
    const orderOf = (n: number) => (day: string) => `DD${day.replaceAll('-', '')}${n}`;
    const first = await writeOff(page, cardNo, orderOf(995_000), days, '12.34');
    const second = await writeOff(page, cardNo, orderOf(995_001), days, '11.11');
    await enter('card_a', '/cardCancel');
    /** The number of the write-off of an order, whose row shows its amount. */
    const numberOf = async (orderNo: string, yuan: string) => {
      await search(page, '订单号', orderNo);
      const written = page.getByRole('row').filter({ hasText: orderNo }).filter({ hasText: yuan }).first();
      return (await written.innerText()).match(/[A-Z]{2}\d{12,}/g)!.find((no) => no !== orderNo)!;
    };
    const spent = [
      { no: await numberOf(first, '12.34'), yuan: '12.34' },
      { no: await numberOf(second, '11.11'), yuan: '11.11' },
    ];

    // More than there is is refused by name, and not made smaller.
    await act(page, spent[1]!.no, '申请冲正');
    const undo = dialog(page, '申请冲正');
    await undo.getByLabel('冲正金额').fill('999999');
    await undo.getByRole('button', { name: /确\s*定/ }).click();
    await undo.getByText('冲正金额不能大于11.11元').waitFor();
    expect(await undo.getByLabel('冲正金额').inputValue()).toMatch(/^999,?999/);
    await undo.getByRole('button', { name: /取\s*消/ }).click();
    await page.getByRole('button', { name: '放弃修改' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

    await enter('card_a', '/cardInformation');
    await search(page, '卡号', cardNo);
    await page.getByText('共 1 条').waitFor();
    await row(page, '巡店顾客').getByText('300.00').first().waitFor();

    // What the insurer owes for the two is in the settlement of this month, as its preview tells; last month's has to be passed first.
    const { now } = await due();
    await page.clock.setSystemTime(now);
    const plan = dialog(page, '新建结算批次');
    const planSettlement = async () => {
      await enter('card_a', '/storedCardBatchManage');
      await page.getByRole('button', { name: '新建批次' }).click();
      await choose(plan, '方向', '应收');
      await plan.getByRole('button', { name: '下一步' }).click();
      await day(plan, '期间止', plusDays(`${today.slice(0, 7)}-01`, -40));
      await plan.getByText('期间止不能早于期间起').waitFor();
      await day(plan, '期间起', `${today.slice(0, 7)}-01`);
      await day(plan, '期间止', today);
      await day(plan, '截止时间', showInstant(now).slice(0, 16));
      await plan.getByRole('button', { name: '下一步' }).click();
      const bill = row(plan, '众安');
      await bill.waitFor();
      await plan.getByRole('button', { name: '生成批次' }).click();
      return (await bill.getByRole('cell').last().innerText()).trim();
    };
    const passSettlement = async (batchNo: string) => {
      await enter('fin_r', '/storedCardBatchManage');
      await search(page, '批次号', batchNo);
      await act(page, batchNo, '查看');
      await dialog(page, '结算批次').getByRole('button', { name: '复核通过' }).click();
      await confirm(page, '与账簿核对一致');
      await toast(page, '复核完成!');
    };
    await planSettlement();
    const barred = page.locator('.kq-toast', { hasText: '存在未提交对账的结算批次' }).first();
    await passSettlement(/SB\d+/.exec(await barred.innerText())![0]);
    const net = await planSettlement();
    await toast(page, '已开始生成');
    await due();
    const batch = dialog(page, '结算批次');
    await batch.getByText('待提交').first().waitFor();
    const bill = row(batch, '众安');
    await bill.getByText(net).first().waitFor();
    const settlementNo = /SB\d+/.exec(await batch.innerText())![0];
    await bill.getByRole('button', { name: '明细' }).click();
    const lines = dialog(page, '结算明细');
    for (const { no, yuan } of spent) {
      await lines.getByLabel('单号', { exact: true }).fill(no);
      await lines.getByRole('button', { name: '查询' }).click();
      await lines.getByText('共 1 条').waitFor();
      await row(lines, no).getByText(yuan).first().waitFor();
    }
    await page.keyboard.press('Escape');
    await batch.getByRole('button', { name: '提交复核' }).click();
    await confirm(page);
    await toast(page, '提交成功!');
    await passSettlement(settlementNo);
    await dialog(page, '结算批次').getByText('待对方确认').first().waitFor();
  },
);
