import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { choose, confirm, dialog, row, toast } from '../steps.ts';

withBrowser();

journey('a group and a mark are made, put on channels by their numbers, seen and taken away', async ({ page, enter }) => {
  await enter('admin', '/channelManagement');
  const found = page.getByText(/^QD\d{14}$/);
  await found.nth(1).waitFor();
  const numbers = await found.allTextContents();
  await enter('admin', '/markContent?objectType=CHANNEL');
  await page.getByRole('button', { name: '新增标签组' }).click();
  const groupForm = dialog(page, '新增标签组');
  await groupForm.getByRole('button', { name: /确\s*定/ }).click();
  await groupForm.getByText('请输入标签组名称').waitFor();
  await groupForm.getByLabel('标签组名称').fill('巡检结论');
  await choose(groupForm, '选择方式', '组内单选');
  await groupForm.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '成功');
  await page.getByRole('button', { name: /巡检结论/ }).click();
  for (const name of ['巡检合格', '巡检待改']) {
    await page.getByRole('button', { name: '新增标签', exact: true }).click();
    const form = dialog(page, '新增标签');
    await form.getByLabel('标签名称').fill(name);
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await page.getByRole('button', { name: `标签${name}` }).waitFor();
  }
  await page.getByRole('button', { name: '标签巡检合格' }).click();
  await page.getByRole('menuitem', { name: '批量打标' }).click();
  const bind = dialog(page, '批量打标：巡检合格');
  await bind.getByLabel('渠道编号').fill(`${numbers.slice(0, 2).join('\n')}\nQD-NONE`);
  await bind.getByRole('button', { name: /确\s*定/ }).click();
  const result = dialog(page, '批量打标结果');
  await result.getByText('对象不存在').waitFor();
  await result.getByRole('button', { name: /确\s*定/ }).click();
  await expect.poll(() => page.getByRole('button', { name: '标签巡检合格' }).textContent()).toContain('2');
  await page.getByRole('button', { name: '标签巡检合格' }).click();
  await page.getByRole('menuitem', { name: '查看对象' }).click();
  await row(page, numbers[0]!).getByText('手工').waitFor();
  await row(page, numbers[0]!).getByRole('button', { name: '移除' }).click();
  await confirm(page);
  await toast(page, '操作成功!');
  await expect.poll(() => page.getByRole('row').filter({ hasText: numbers[0]! }).count()).toBe(0);
  await row(page, numbers[1]!).waitFor();
});
