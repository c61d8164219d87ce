import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { choose, dialog, row, toast } from '../steps.ts';

withBrowser();

journey(
  'a prescription is read and passed; the order then waits for its payment, and customer service ends it',
  async ({ page, enter }) => {
    await enter('pharm_a', '/orderManagement');
    await page.getByRole('tab', { name: /^待审方（\d+）$/ }).waitFor();
    await page.getByRole('button', { name: '领取下一单审方' }).click();
    const drawer = page.getByRole('dialog').filter({ hasText: '处方' });
    await drawer.getByRole('button', { name: '审方通过' }).waitFor();
    await drawer.getByText('由我处理').waitFor();
    expect(await drawer.getByRole('list', { name: '所购药品' }).getByRole('listitem').count()).toBeGreaterThan(0);
    const orderNo = /OR\d{14}/.exec(await drawer.innerText())![0];

    // Who refuses says why; then the pharmacist passes it after all.
    await drawer.getByRole('button', { name: '审方不通过' }).click();
    const refusal = dialog(page, '审方不通过 OR');
    await refusal.getByRole('button', { name: /确\s*定/ }).click();
    await refusal.getByText('请选择不通过原因').waitFor();
    await page.keyboard.press('Escape');
    await refusal.waitFor({ state: 'detached' });
    await drawer.getByRole('button', { name: '审方通过' }).click();
    await toast(page, '修改成功!');
    await drawer.getByText('待支付').first().waitFor();

    await enter('svc_a', `/orderManagement?orderNo=${orderNo}`);
    await row(page, orderNo).click();
    const order = dialog(page, `订单 ${orderNo}`);
    await order.getByRole('tab', { name: '商品与金额' }).click();
    await order.getByRole('row').filter({ hasText: '合计' }).waitFor();
    await order.getByRole('tab', { name: '操作记录' }).click();
    await order.getByText('审方通过').waitFor();
    await order.getByRole('button', { name: '取消订单' }).click();
    const cancelling = dialog(page, `取消订单 ${orderNo}`);
    await choose(cancelling, '取消原因', '患者要求取消');
    await cancelling.getByLabel('意见').fill('患者改在门店购买');
    await cancelling.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '取消成功!');
    await order.getByText('已取消').first().waitFor();
  },
);
