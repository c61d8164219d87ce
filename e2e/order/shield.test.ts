import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { choose, confirm, dialog, toast } from '../steps.ts';

// Hidden goods: a page of definitions whose forms are windows of no record.
withBrowser();

journey('goods are hidden for a city, tried out, changed and deleted', async ({ page, enter }) => {
  await enter('fulfil_a', '/shieldAddCartGoodsConfig');
  const frame = page.locator('iframe:visible').first().contentFrame();
  const rows = frame.locator('.antd-Crud tbody tr');
  await rows.first().waitFor();

  await frame.getByRole('button', { name: '新增', exact: true }).click();
  const form = dialog(page, '新增隐藏加购设置');
  await form.getByLabel('药品', { exact: true }).click();
  const option = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option').last();
  const goodsCode = /（(\w+)）/.exec(await option.innerText())![1]!;
  await option.click();
  await page.keyboard.press('Escape');
  await choose(form, '适用范围', '指定城市');
  await choose(form, '城市', '南京市', '南京');
  await page.keyboard.press('Escape');
  await form.getByLabel('原因').fill('南京暂由门店发药');
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '新增成功!');
  const mine = rows.filter({ hasText: '南京暂由门店发药' });
  await mine.getByText('江苏省南京市').waitFor();

  const test = async (city: string, answer: string) => {
    await frame.getByRole('button', { name: '试算', exact: true }).click();
    const trial = dialog(page, '试算隐藏加购');
    await choose(trial, '药品', goodsCode, goodsCode);
    await choose(trial, '城市', city, city);
    await trial.getByRole('button', { name: /试\s*算/ }).click();
    await trial.getByText(answer).waitFor();
    await page.keyboard.press('Escape');
    await trial.waitFor({ state: 'hidden' });
  };
  await test('南京市', '隐藏按钮，显示“请咨询药师”');
  await test('苏州市', '显示“加入购物车”按钮');

  await mine.getByRole('button', { name: '编辑' }).click();
  const edit = dialog(page, `编辑隐藏加购设置 ${goodsCode}`);
  await edit.getByLabel('替代文案').fill('请到门店购买');
  await edit.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '修改成功!');
  await mine.getByText('请到门店购买').waitFor();
  await mine.getByRole('button', { name: '停用' }).click();
  await mine.getByRole('button', { name: '启用' }).waitFor();
  await mine.getByRole('button', { name: '删除' }).click();
  await page.getByText('此操作将永久删除该文件, 是否继续?').waitFor();
  await confirm(page);
  await expect.poll(() => mine.count()).toBe(0);
});
