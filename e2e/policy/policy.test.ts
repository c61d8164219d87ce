import { expect } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, day, dialog, row, toast } from '../steps.ts';

withBrowser();

journey(
  'a policy takes somebody in: made by one, passed by another, its premium checked at the desk and paid to the fen',
  async ({ page, enter, today }) => {
    const policyNo = `JY${today.replaceAll('-', '')}01`;
    await enter('product_a', '/policyManage');
    await page.getByRole('button', { name: '新增保单' }).click();
    const form = dialog(page, '新增保单');
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await form.getByText('请输入保单号').first().waitFor();
    await form.getByLabel('保单号', { exact: true }).fill(policyNo);
    await choose(form, '产品', '人保慢病药品险', '人保慢病');
    await form.getByLabel('投保人名称').fill('巡检机械有限公司');
    await day(form, '起保日期', today);
    await day(form, '终保日期', plusDays(today, 364));
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');

    const policy = dialog(page, '保单详情');
    await policy.getByText('保费与使用情况').waitFor();
    await policy.getByRole('button', { name: '批改' }).click();
    await page.getByRole('menuitem', { name: '增员' }).click();
    const change = dialog(page, `批改 ${policyNo}`);
    await choose(change, '计划', 'P1 一档');
    await change.getByLabel('姓名').fill('周小明');
    await change.getByLabel('证件号').fill('110101199003070011');
    // The certificate says who he is; what he costs is told before anything is handed in.
    await expect.poll(() => change.getByLabel('出生日期').inputValue()).toBe('1990-03-07');
    await change.getByText('365.00').first().waitFor();
    await change.getByLabel('批改原因').fill('新员工入职');
    await change.getByRole('button', { name: '提交审核' }).click();
    await toast(page, '提交成功!');

    await enter('product_r', `/policyManage?policyNo=${policyNo}`);
    await act(page, policyNo, '详情');
    await policy.getByRole('tab', { name: '批单' }).click();
    await act(page, '新员工入职', '审核');
    const check = dialog(page, '审核批单');
    await check.getByText('周小明').first().waitFor();
    await check.getByLabel('复核意见').fill('资料齐全');
    await check.getByRole('button', { name: '审核通过' }).click();
    await toast(page, '审核完成!');
    await policy.getByRole('tab', { name: '被保人' }).click();
    await policy.getByRole('row').filter({ hasText: '周小明' }).getByText('保障中').waitFor();
    await policy.getByRole('tab', { name: '保费' }).click();
    const order = policy.getByRole('row').filter({ hasText: '365.00' }).first();
    await order.getByText('待审核').waitFor();
    const orderNo = /BF\d{14}/.exec(await order.innerText())![0];
    await act(page, orderNo, '审核');

    const desk = dialog(page, `保费订单 ${orderNo}`);
    await desk.getByText('由我处理', { exact: false }).waitFor();
    await desk.getByText('金额对比').waitFor();
    await page.keyboard.press('Alt+Y');
    await desk.getByText('审核结论：通过').waitFor();
    await desk.getByLabel('意见').fill('与保司账单一致');
    await page.keyboard.press('Control+Enter');
    await toast(page, '审核完成!');

    await enter('fin_a', '/insurancePremiumOrderInquiry?tab=receipts');
    await page.getByRole('button', { name: '登记到账' }).click();
    const receipt = dialog(page, '登记到账');
    await receipt.getByLabel('金额').fill('400');
    await receipt.getByLabel('付款人').fill('巡检机械有限公司');
    await receipt.getByLabel('银行流水号').fill(`XJ${orderNo}`);
    await receipt.getByLabel('银行账号').fill('6222020200112233');
    await receipt.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');

    await enter('fin_a', `/insurancePremiumOrderInquiry?premiumOrderNo=${orderNo}`);
    await act(page, orderNo, '登记收付');
    const settle = dialog(page, `登记收付 ${orderNo}`);
    await row(settle, `XJ${orderNo}`).getByRole('radio').check();
    const amount = settle.getByLabel(`${orderNo}分配金额`);
    await expect.poll(() => amount.inputValue()).toBe('365.00');
    await settle.getByText('¥35.00').waitFor();
    await settle.getByRole('button', { name: '确定分配' }).click();
    await toast(page, '操作成功!');
    await row(page, orderNo).getByText('已收付').waitFor();
    expect(await row(page, orderNo).innerText()).toContain('365.00');

    await enter('product_a', `/policyManage?policyNo=${policyNo}`);
    await row(page, policyNo).getByText('1/0').waitFor();
    await act(page, policyNo, '详情');
    const facts = policy.locator('.kq-section').filter({ hasText: '保费与使用情况' });
    // due, due less what is returned, and paid
    expect((await facts.innerText()).match(/¥365\.00/g)).toHaveLength(3);

    // It goes on for another year, with whoever is covered on its last day.
    await enter('product_a', `/policyManage?policyNo=${policyNo}`);
    await act(page, policyNo, '续保');
    const renewal = dialog(page, `续保 ${policyNo}`);
    expect(await renewal.getByLabel('新起保日期').inputValue()).toBe(plusDays(today, 365));
    await renewal.getByRole('button', { name: /确\s*定/ }).click();
    await renewal.getByText('请输入新保单号').first().waitFor();
    await renewal.getByLabel('新保单号').fill(`${policyNo}R`);
    await renewal.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    const list = dialog(page, '清单批次');
    await list.getByText('续保自保单').waitFor();
    await list.getByRole('button', { name: '提交生效' }).click();
    await confirm(page);
    await toast(page, '提交成功!');
    await list.getByText('已生效').first().waitFor();
    await row(list, '周小明').getByText('新增').waitFor();
  },
);
