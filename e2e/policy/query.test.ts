import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { choose, dialog, row, toast } from '../steps.ts';

withBrowser();

journey(
  'a question is put together, asked, saved and shared; somebody of one insurer opens it and takes out his own rows',
  async ({ page, enter, open, allow }) => {
    const viewName = '巡检在保清单';
    const ask = () => page.getByRole('button', { name: '查询', exact: true }).click();
    const answered = () => page.getByText(/用时 \d+ 毫秒/).waitFor();
    const total = async () => Number(/共 (\d+) 条/.exec(await page.locator('.kq-table-total').innerText())?.[1]);
    const column = (name: string) => page.getByRole('region', { name: '列' }).getByRole('listitem').filter({ hasText: name });

    await enter('product_r', '/queryTable');
    await page.getByRole('navigation', { name: '数据集与视图' }).getByRole('button', { name: '保单', exact: true }).click();
    await page.getByText('然后点击“查询”').waitFor();
    // A condition with a gap is not asked, and said to have one.
    await page.getByRole('button', { name: '添加筛选条件' }).click();
    await ask();
    await page.getByText('筛选条件还没有填写完整，请补全或删除').waitFor();
    await choose(page, '条件1变量', '在保人数', '在保');
    await choose(page, '条件1运算符', '≥');
    await page.getByLabel('条件1的值').fill('1');
    await page.getByRole('button', { name: '添加条件组' }).first().click();
    await choose(page, '条件2.1变量', '保单类型', '保单类型');
    await choose(page, '条件2.1运算符', '=');
    await choose(page, '条件2.1的值', '团单');
    await page.getByRole('group', { name: '条件2', exact: true }).getByRole('button', { name: '添加条件', exact: true }).click();
    await choose(page, '条件2.2变量', '保单类型', '保单类型');
    await choose(page, '条件2.2运算符', '=');
    await choose(page, '条件2.2的值', '个单');
    await ask();
    await answered();
    const all = await total();
    expect(all).toBeGreaterThan(1);
    expect(await page.getByRole('table').first().innerText()).not.toContain('惠民保单');

    // Rows and groups do not mix: the server says which column is neither.
    allow(/queryTableData|400|409|422/);
    await choose(page, '分组', '保司');
    await page.keyboard.press('Escape');
    await ask();
    await page.getByText(/分组查询不能包含明细列/).waitFor();
    await page.getByRole('region', { name: '分组' }).getByLabel('分组').press('Backspace');
    await column('投保人').getByRole('button', { name: /^移除/ }).click();
    await page.keyboard.press('Control+Enter');
    await answered();
    expect(await total()).toBe(all);

    await page.getByRole('button', { name: '另存为视图' }).click();
    const saving = dialog(page, '另存为视图');
    await saving.getByLabel('视图名称').fill(viewName);
    await saving.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    await page.getByRole('button', { name: `设为默认${viewName}` }).click();
    await page.getByRole('button', { name: `${viewName}的操作` }).click();
    await page.getByText('分享', { exact: true }).last().click();
    const sharing = dialog(page, `分享 ${viewName}`);
    await choose(sharing, '共享范围', '公共');
    await sharing.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '分享成功!');
    // The page opens with it from now on.
    await open('/queryTable');
    await answered();
    expect(await total()).toBe(all);

    await enter('product_b', '/queryTable?viewId=999999999');
    await page.getByText('视图不存在，或没有分享给您，请从左侧选择').waitFor();
    await page.getByRole('region', { name: '共享视图' }).getByRole('button', { name: viewName }).last().click();
    await answered();
    const own = await total();
    expect(own).toBeGreaterThan(0);
    expect(own).toBeLessThan(all);
    // What is not his he cannot change.
    expect(await page.getByRole('button', { name: `${viewName}的操作` }).count()).toBe(0);

    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: `导出（${own}行）` }).click();
    await dialog(page, '文件格式')
      .getByRole('button', { name: `导出（${own}行）` })
      .click();
    expect((await file).suggestedFilename()).toContain('保费信息');

    // More than 5,000 rows are made in the background.
    await enter('product_r', '/queryTable');
    await page.getByRole('navigation', { name: '数据集与视图' }).getByRole('button', { name: '被保人', exact: true }).click();
    await ask();
    await answered();
    await page.getByRole('button', { name: /^导出（/ }).click();
    await dialog(page, '文件格式')
      .getByRole('button', { name: /^导出（/ })
      .click();
    await toast(page, '已提交导出任务');
    await open('/downloadList');
    await row(page, '保费信息').waitFor();
  },
);

journey('what was put together is given up only when that is meant, and is the same again once it is saved', async ({ page, enter }) => {
  const views = page.getByRole('navigation', { name: '数据集与视图' });
  const most = page.getByLabel('最多行数');
  const save = page.getByRole('button', { name: '保存视图', exact: true });
  await enter('product_r', '/queryTable');
  await views.getByRole('button', { name: '保单', exact: true }).click();
  await page.getByText('然后点击“查询”').waitFor();
  await most.fill('7');
  await views.getByRole('button', { name: '批单', exact: true }).click();
  const asking = page.getByRole('dialog').filter({ hasText: '有未保存的修改' });
  await asking.getByRole('button', { name: /取\s*消/ }).click();
  await asking.waitFor({ state: 'hidden' });
  expect(await most.inputValue()).toBe('7');
  await views.getByRole('button', { name: '批单', exact: true }).click();
  await asking.getByRole('button', { name: '放弃修改' }).click();
  await expect.poll(() => most.inputValue()).toBe('');

  // What is saved under a name is not asked about, and what was changed back is not changed.
  await most.fill('7');
  await page.getByRole('button', { name: '另存为视图' }).click();
  const saving = dialog(page, '另存为视图');
  await saving.getByLabel('视图名称').fill('巡检批单七行');
  await saving.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '新增成功!');
  await page.getByText(/用时 \d+ 毫秒/).waitFor();
  expect(await save.isDisabled()).toBe(true);
  await most.fill('8');
  await expect.poll(() => save.isDisabled()).toBe(false);
  await most.fill('7');
  await expect.poll(() => save.isDisabled()).toBe(true);
  await most.fill('8');
  await save.click();
  await toast(page, '修改成功!');
  await expect.poll(() => save.isDisabled()).toBe(true);
  await views.getByRole('button', { name: '保单', exact: true }).click();
  await page.getByText('然后点击“查询”').waitFor();
});
