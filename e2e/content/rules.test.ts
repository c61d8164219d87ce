import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, toast } from '../steps.ts';

withBrowser();

journey('a rule is written, tried with its sample explained, published, and marks medicines', async ({ page, enter }) => {
  await enter('admin', '/markContent?objectType=MEDICINE');
  await page.getByRole('button', { name: '新增标签组' }).click();
  const groupForm = dialog(page, '新增标签组');
  await groupForm.getByLabel('标签组名称').fill('配送要求');
  await groupForm.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '成功');
  await page.getByRole('button', { name: /配送要求/ }).click();
  await page.getByRole('button', { name: '新增标签', exact: true }).click();
  const markForm = dialog(page, '新增标签');
  await markForm.getByLabel('标签名称').fill('冷链配送');
  await markForm.getByRole('button', { name: /确\s*定/ }).click();
  await page.getByRole('button', { name: '标签冷链配送' }).waitFor();

  await page.getByRole('tab', { name: '打标规则' }).click();
  await page.getByRole('button', { name: '新增打标规则' }).click();
  const form = dialog(page, '新增打标规则');
  await choose(form, '对象', '药品');
  await choose(form, '标签', '冷链配送', '冷链配送');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await form.getByText('条件不完整').waitFor();
  await form.getByRole('button', { name: '添加条件' }).click();
  await choose(form, '变量', '是否冷链');
  await choose(form, '条件值', '是');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '成功');

  const rule = row(page, '冷链配送');
  await rule.getByText('是否冷链 = 是').waitFor();
  await act(page, '冷链配送', '发布');
  await confirm(page);
  await page.getByText('请先试运行').first().waitFor();
  await rule.getByRole('button', { name: '试运行与记录' }).click();
  const runs = dialog(page, '执行记录');
  await runs.getByRole('button', { name: '试运行', exact: true }).click();
  await runs.getByText('已完成').waitFor();
  await runs.getByRole('button', { name: '明细' }).click();
  await runs.getByText('是否冷链 = 是：满足（是）').first().waitFor();
  await runs.getByRole('button', { name: '关闭' }).click();

  await act(page, '冷链配送', '发布');
  await confirm(page);
  await rule.getByText('运行中').waitFor();
  await rule.getByRole('button', { name: '试运行与记录' }).click();
  await expect.poll(() => runs.getByText('已完成').count()).toBe(2);
  await runs.getByRole('button', { name: '关闭' }).click();
  await page.getByRole('button', { name: '刷新' }).click();
  await rule.getByText(/^\+[1-9]\d* −0$/).waitFor();
});

journey('a promotion tag keeps to its words, and stands on the card of a medicine until it is put out of use', async ({ page, enter }) => {
  await enter('admin', '/medicineManagementTable');
  const medicineNo =
    (await page
      .getByText(/^YP\d{14}$/)
      .first()
      .textContent()) ?? '';
  await enter('admin', '/markContent?tab=promotion');
  await page.getByRole('button', { name: '新增促销标签' }).click();
  const form = dialog(page, '新增促销标签');
  await choose(form, '标签组', '服务特色');
  await form.getByLabel('标签名称').fill('护士随访');
  await form.getByLabel('促销文字').fill('全网最低价');
  await form.getByText('促销文字包含违禁词：最').waitFor();
  await form.getByLabel('促销文字').fill('护士随访七个字');
  await form.getByText('促销文字最多6个字').waitFor();
  await form.getByLabel('促销文字').fill('护士随访');
  await form.getByLabel('优先级').fill('99');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '成功');
  await row(page, '护士随访').getByText('展示中').waitFor();

  await enter('admin', '/markContent?objectType=MEDICINE');
  await page.getByRole('button', { name: /服务特色/ }).click();
  await page.getByRole('button', { name: '标签护士随访' }).click();
  await page.getByRole('menuitem', { name: '批量打标' }).click();
  const bind = dialog(page, '批量打标：护士随访');
  await bind.getByLabel('药品编号').fill(medicineNo);
  await bind.getByRole('button', { name: /确\s*定/ }).click();
  await dialog(page, '批量打标结果')
    .getByRole('button', { name: /确\s*定/ })
    .click();

  await enter('admin', '/markContent?tab=promotion');
  const preview = async () => {
    await page.getByRole('button', { name: '卡片预览' }).click();
    const shown = dialog(page, '卡片预览');
    await shown.getByLabel('药品编号').fill(medicineNo);
    await shown.getByRole('button', { name: /预\s*览/ }).click();
    return shown;
  };
  const before = await preview();
  await before.locator('.pt-card').getByText('护士随访').waitFor();
  await before.getByRole('button', { name: '关闭' }).click();
  await act(page, '护士随访', '停用');
  await confirm(page);
  await toast(page, '修改成功!');
  const after = await preview();
  await after.getByText('未展示：已停用').waitFor();
  expect(await after.locator('.pt-card').getByText('护士随访').count()).toBe(0);
});
