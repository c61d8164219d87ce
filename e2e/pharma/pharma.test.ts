import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, day, dialog, row, search, toast } from '../steps.ts';

withBrowser();

const save = (page: Page) => page.getByRole('dialog').last().getByRole('button', { name: '确定', exact: true }).click();

/** Decides the apply of one type by key. */
async function approve(page: Page, medicine: string, type: string): Promise<void> {
  await search(page, '药品/申请编号', medicine);
  await row(page, type).getByRole('button', { name: '审核', exact: true }).click();
  await dialog(page, `${type}申请`).getByText('A 通过').waitFor();
  // Nothing is decided until somebody decides.
  await page.keyboard.press('Control+Enter');
  await toast(page, '请先选择审核结论：A 通过、R 驳回');
  await page.keyboard.press('a');
  await page.keyboard.press('Control+Enter');
  await toast(page, '审核完成');
}

journey('a medicine is added, audited by a second person, priced and put on', async ({ page, today, open, otherBrowser, enter }) => {
  const name = '盐酸安罗替尼胶囊';
  await enter('product_a', '/medicineManagementTable');
  await page.getByRole('button', { name: '新增药品' }).click();
  const form = dialog(page, '新增药品');
  await form.getByLabel('批准文号', { exact: true }).fill('国药准字H2018000');
  await form.getByLabel('通用名', { exact: true }).fill(name);
  await form.getByText('批准文号格式不正确').waitFor();
  // A known number offers the medicine that has it.
  await form.getByLabel('批准文号', { exact: true }).fill('国药准字HJ20170167');
  await form.getByLabel('通用名', { exact: true }).click();
  await form.getByText('该批准文号已存在：甲磺酸奥希替尼片').waitFor();
  await form.getByLabel('批准文号', { exact: true }).fill('国药准字H20180004');
  await form.getByLabel('通用名', { exact: true }).click();
  await form.getByText('该批准文号已存在').waitFor({ state: 'detached' });
  await day(form, '文号有效期至', '2029-05-01');
  await choose(form, '处方分类', '处方药');
  await choose(form, '剂型', '胶囊剂');
  await form.getByLabel('规格', { exact: true }).fill('12mg');
  await choose(form, '上市许可持有人', '正大天晴', '正大天晴');
  await choose(form, '生产企业', '正大天晴', '正大天晴');
  await choose(form, '药品分类', 'ALK抑制剂', 'ALK');
  await choose(form, '贮藏', '常温');
  await form.getByLabel('税收编码', { exact: true }).fill('1070399000000000000');
  await choose(form, '计税方式', '一般');
  await choose(form, '税率', '13%');
  await form.getByRole('button', { name: '添加适应症' }).click();
  await form.getByPlaceholder('说明书适应症').fill('既往至少接受过2种系统化疗后进展的非小细胞肺癌');
  await form.getByLabel('用法用量', { exact: true }).fill('口服，每次12mg，每日1次');
  await save(page);
  await toast(page, '新增成功');
  await search(page, '关键字', name);
  await act(page, name, '提交审核');
  await confirm(page);
  await toast(page, '已提交审核');

  const other = await otherBrowser();
  await enter('product_r', '/medicineManagementTable?tab=applies', other);
  await approve(other, name, '新增');

  await open('/medicineManagementTable');
  await search(page, '关键字', name);
  await act(page, name, '商品与价格');
  await page.getByRole('button', { name: '新增商品' }).click();
  const goods = dialog(page, '新增商品');
  await goods.getByLabel('包装规格', { exact: true }).fill('12mg*7粒/盒');
  await goods.getByLabel('包装数量（最小剂量单位）', { exact: true }).fill('7');
  await save(page);
  await toast(page, '保存成功!');
  await row(page, '12mg*7粒/盒').getByRole('button', { name: '新增价格' }).click();
  const price = dialog(page, '新增价格');
  await price.getByLabel('价格（元）', { exact: true }).fill('2140');
  await day(price, '生效日期', today);
  await price.getByLabel('调价原因', { exact: true }).fill('首次定价');
  await save(page);
  await row(page, '首次定价').waitFor();

  await open('/medicineManagementTable');
  await search(page, '关键字', name);
  await act(page, name, '上架');
  await confirm(page);
  await row(page, name).getByRole('button', { name: '上架', exact: true }).waitFor({ state: 'detached' });
  await open('/medicineManagementTable?tab=applies', other);
  await approve(other, name, '上架');
  await open('/medicineManagementTable?tab=ON');
  await search(page, '关键字', name);
  await row(page, name).getByText('2,140.00').waitFor();
});

journey('the category tree is walked and changed with the keyboard', async ({ page, signIn, open }) => {
  await signIn('product_a');
  const reading = /queryDrugCategoryTree/;
  await page.route(reading, (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({ code: 'SCM99999', message: '系统异常，请联系管理员（追踪号4f2a）', data: null }),
    }),
  );
  await open('/drugCategory');
  // A tree that could not be read is not an empty one.
  await page.locator('.kq-empty', { hasText: '追踪号4f2a' }).waitFor();
  await page.unroute(reading);
  await page.getByRole('button', { name: '重新加载' }).click();
  const tree = page.getByRole('tree');
  await tree.getByText('特医与器械').click();
  await page.keyboard.press('Tab');
  await tree.getByRole('textbox').fill('家用检测');
  await page.keyboard.press('Enter');
  await toast(page, '修改成功!');
  await tree.getByText('家用检测').waitFor();
  await page.keyboard.press('F2');
  await tree.getByRole('textbox').fill('居家检测');
  await page.keyboard.press('Enter');
  await tree.getByText('居家检测').waitFor();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: '提示' }).getByText('此操作将永久删除该文件, 是否继续?').waitFor();
  await confirm(page);
  await toast(page, '删除成功!');
  await tree.getByText('居家检测').waitFor({ state: 'detached' });
  // The answered question is still leaving: the next one is not to be taken for it.
  await page.getByRole('dialog', { name: '提示' }).waitFor({ state: 'hidden' });
  // A category with something below it stays.
  await tree.getByText('神经精神').click();
  await page.keyboard.press('Delete');
  await confirm(page);
  await toast(page, '分类下有药品或子分类，不能删除');
});

journey('a representative is handed over by the wizard and another person approves', async ({ page, today, otherBrowser, enter }) => {
  await enter('admin', '/agentList');
  await search(page, '姓名', '吴伟');
  await act(page, '吴伟', '发起交接');
  const wizard = dialog(page, '离岗交接：吴伟');
  await wizard.getByRole('button', { name: '下一步' }).click();
  await toast(page, '请选择生效日期');
  await wizard.locator('.ant-picker input').fill(plusDays(today, 3));
  await page.keyboard.press('Enter');
  await wizard.getByRole('textbox').last().fill('个人原因离职');
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByText('直接下属 0 人').waitFor();
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByText('选择多位接收人').waitFor();
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByText('请为全部医生和渠道指定接收人').waitFor();
  expect(await wizard.getByRole('button', { name: '提交审批' }).isDisabled()).toBe(true);
  for (let step = 0; step < 2; step += 1) await wizard.getByRole('button', { name: '上一步' }).click();
  const rest = wizard.locator('.ant-form-item').filter({ hasText: '其余医生和渠道的接收人' });
  await rest.locator('input').fill('黄平');
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: '黄平' })
    .first()
    .click();
  for (let step = 0; step < 2; step += 1) await wizard.getByRole('button', { name: '下一步' }).click();
  await wizard.getByText(/→ \d+/).first().waitFor();
  await wizard.getByRole('button', { name: '提交审批' }).click();
  await toast(page, '已提交审批');

  const other = await otherBrowser();
  await enter('ops_audit', '/agentList?tab=handovers', other);
  await act(other, '个人原因离职', '同意');
  await confirm(other);
  await row(other, '个人原因离职').getByText('待生效').waitFor();
});

journey('a representative is named by the address, and his page says so without a number', async ({ page, open, enter }) => {
  await enter('admin', '/agentDetail');
  await page.getByText('缺少代表编号').waitFor();
  await open('/agentList');
  await page.getByRole('row').nth(1).getByRole('button', { name: '详情' }).click();
  await page.waitForURL(/agentDetail\?agentId=\d+/);
  await page.getByRole('tab', { name: '操作轨迹' }).click();
  await page.getByText('缺少代表编号').waitFor({ state: 'detached' });
});

journey(
  'who may only look is offered nothing to change, of medicines, companies, representatives, hospitals and drugstores',
  async ({ page, signIn, open }) => {
    await signIn('audit_a');
    for (const path of [
      '/medicineManagementTable',
      '/pharmaceuticalEnterprises',
      '/agentList',
      '/hospitalManagementMaintenance',
      '/drugstoreManagement',
    ]) {
      await open(path);
      await page.locator('.kq-grid[aria-busy=false]').first().waitFor();
      await page.getByRole('row').nth(1).waitFor();
      const offered = await page.getByRole('button').allInnerTexts();
      expect(
        offered.filter((name) => /^(新增|编辑|导入|提交|复制|上架|下架|激活|冻结|停用|启用|恢复|关店|删除|合并|审核)/.test(name.trim())),
        path,
      ).toEqual([]);
      expect(
        offered.some((name) => name.includes('导出')),
        path,
      ).toBe(true);
    }
  },
);
