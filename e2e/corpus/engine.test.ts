import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';
import { act } from '../steps.ts';

withBrowser();

const line = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: false }).filter({ hasText: name }).first();
const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog').last();
const say = async (page: Page, label: string, text: string) => {
  await dialog(page).getByLabel(label).fill(text);
  await dialog(page).getByRole('button', { name: '确定', exact: true }).click();
};

journey(
  'a changed scene is tried out, handed in, and published by somebody else, who chooses what happens to those under way',
  async ({ page, enter, otherBrowser }) => {
    await enter('corpus_ops', '/corpus');
    await line(page, '2型糖尿病').click();
    await line(page, '血糖管理').click();
    await tab(page, '策略').click();
    await page.getByLabel('优先级').fill('7');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await toast(page, '修改成功!');
    await tab(page, '版本').click();
    await page.getByText('有未发布修改').waitFor();
    await page.getByText('请先完成试运行').waitFor();
    await tab(page, '试运行与模拟').click();
    await page.getByText('尚未试运行').waitFor();
    await page.getByRole('button', { name: '试运行' }).click();
    await page.getByRole('list', { name: '各条件的作用' }).waitFor();
    await page.getByText('近14天对比', { exact: true }).click();
    await page.getByRole('button', { name: '对比近14天' }).click();
    await page.getByRole('button', { name: '重新对比' }).and(page.locator(':enabled')).waitFor();
    await page.getByText('模拟14天', { exact: true }).click();
    await page.getByText('尚未模拟').waitFor();
    await page.getByRole('button', { name: '开始模拟' }).click();
    const days = page.getByRole('table', { name: '按日期与时段的触达' });
    await days.waitFor();
    expect(await days.getByText(/^\d\d-\d\d$/).count()).toBeGreaterThan(1);
    await page
      .getByRole('row', { name: /会(发送|跳过)/ })
      .first()
      .waitFor();
    // What stands above the list is still within reach: it covers nothing but its own place.
    await page.getByText('历史日重放', { exact: true }).click();
    await page.getByText('实际发送 → 重放发送').waitFor();
    await tab(page, '版本').click();
    await page.getByRole('button', { name: '与已发布版本比较' }).click();
    await page.getByRole('cell', { name: '优先级' }).waitFor();
    await page.keyboard.press('Escape');
    // The keyboard is where it was before.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('与已发布版本比较');
    await page.getByRole('button', { name: '提交审核' }).click();
    await say(page, '意见', '优先级上调');
    await toast(page, '操作成功');
    await page.getByText('待审核').waitFor();

    const other = await otherBrowser();
    await enter('medical_a', '/corpus', other);
    await line(other, '2型糖尿病').click();
    await line(other, '血糖管理').click();
    await tab(other, '版本').click();
    await act(other, 'V2', '通过并发布');
    await dialog(other).getByRole('button', { name: '确定', exact: true }).click();
    await other.getByText('请选择运行中患者的处理方式').last().waitFor();
    await dialog(other).getByText('沿用旧版本').click();
    await dialog(other).getByRole('button', { name: '确定', exact: true }).click();
    await toast(other, '操作成功');
    await other.getByLabel('发布状态').getByText('V2').waitFor();
  },
);

journey(
  'a run says why its patient entered, is paused and goes on; everything can be stopped and resumed',
  async ({ page, enter, otherBrowser }) => {
    await enter('corpus_ops', '/corpus');
    await line(page, '2型糖尿病').click();
    await line(page, '血糖管理').click();
    await tab(page, '随访实例').click();
    await page
      .getByRole('row', { name: /进行中/ })
      .first()
      .getByRole('button', { name: '详情' })
      .click();
    const drawer = page.getByRole('dialog', { name: '随访详情' });
    await drawer.getByText('为什么进入').waitFor();
    await drawer
      .getByRole('button', { name: '暂 停' })
      .or(drawer.getByRole('button', { name: '暂停' }))
      .first()
      .click();
    await say(page, '意见', '患者住院');
    await drawer.getByText('人工暂停').first().waitFor();
    await drawer
      .getByRole('button', { name: '恢 复' })
      .or(drawer.getByRole('button', { name: '恢复' }))
      .first()
      .click();
    await dialog(page).getByRole('button', { name: '确定', exact: true }).click();
    await drawer.getByText('患者住院').waitFor();

    const other = await otherBrowser();
    await enter('medical_a', '/corpus?view=engine', other);
    await other.getByRole('button', { name: '全局停发' }).click();
    await say(other, '停发原因', '内容有误');
    await toast(other, '已停发');
    await other.getByRole('alert').getByText('已全局停发：内容有误').waitFor();
    await other.getByRole('button', { name: '恢复发送' }).click();
    await dialog(other).getByText('补发未过期').click();
    await dialog(other).getByRole('button', { name: '确定', exact: true }).click();
    await toast(other, '已恢复发送');
    await tab(other, '停发记录').click();
    await other.getByText('内容有误').first().waitFor();
  },
);

journey('the record of a patient tells what he was sent and what he entered; an entry opens why', async ({ page, enter }) => {
  await enter('admin', '/userManagement?patient=10002');
  const record = page.getByRole('dialog').filter({ hasText: '患者档案' }).last();
  await record.getByRole('tab', { name: '随访' }).click();
  const entries = record.locator('.kq-follow-entry');
  await entries.filter({ hasText: '已发送' }).first().waitFor();
  await entries.filter({ hasText: '进入场景' }).first().click();
  await page.getByRole('dialog', { name: '随访详情' }).getByText('为什么进入').waitFor();
});
