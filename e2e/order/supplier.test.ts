import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { choose, dialog, toast } from '../steps.ts';

// Suppliers: a page of definitions whose form and drawer are windows; what one person writes another passes.
withBrowser();

journey('a supplier gets a price for its goods and is tested, another one that waits is passed by the lead', async ({ page, enter }) => {
  await enter('fulfil_a', '/supplierSetup');
  const frame = page.locator('iframe:visible').first().contentFrame();
  const rows = frame.locator('.antd-Crud tbody tr');
  const row = (code: string) => rows.filter({ hasText: code });
  await row('SUP001').getByRole('button', { name: '查看' }).click();
  const drawer = dialog(page, '供应商 SUP001');
  await drawer.getByRole('tab', { name: '对接' }).click();
  await drawer.getByRole('button', { name: '测试连接' }).click();
  await drawer.getByText('连接成功，供应商接口应答正常').waitFor();
  await drawer.getByRole('tab', { name: '商品与库存' }).click();
  await drawer.getByRole('button', { name: '编辑' }).first().click();
  const goods = dialog(page, '编辑商品');
  await goods.getByLabel('供货价（元）').fill('0');
  await goods.getByRole('button', { name: /确\s*定/ }).click();
  await goods.getByText('供货价须大于0').waitFor();
  await goods.getByLabel('供货价（元）').fill('77.70');
  await goods.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '修改成功!');
  await drawer.getByText('77.70').first().waitFor();
  await page.keyboard.press('Escape');

  await frame.getByRole('button', { name: '新增', exact: true }).click();
  const form = dialog(page, '新增供应商');
  await form.getByLabel('供应商编码').fill('SUP001');
  await form.getByLabel('供应商名称').fill('滨江大药房');
  await choose(form, '供应商类型', 'B2C药房');
  await form.getByLabel('联系人').fill('沈立');
  await form.getByLabel('手机号').fill('13812345678');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await form.getByText('请输入药品经营许可证号').waitFor();

  await enter('fulfil_s', '/supplierSetup');
  const lead = page.locator('iframe:visible').first().contentFrame();
  const waiting = lead.locator('.antd-Crud tbody tr').filter({ hasText: 'SUP007' });
  await waiting.getByRole('button', { name: '审核' }).click();
  const review = dialog(page, '供应商 SUP007');
  await review.getByRole('button', { name: '审核通过' }).click();
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /确\s*定/ })
    .click();
  await toast(page, '审核完成!');
  await expect.poll(() => waiting.innerText()).toContain('启用');
});
