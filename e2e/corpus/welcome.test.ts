import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from '../journey.ts';

withBrowser();

const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();
const row = (page: Page, text: string) => page.getByRole('row', { name: new RegExp(text) }).first();
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const confirm = (page: Page, label = '确定') => page.getByRole('dialog').last().getByRole('button', { name: label, exact: true }).click();
const pick = async (page: Page, text: string) =>
  page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden, [class*="-leave"]) .ant-select-item-option', { hasText: text })
    .first()
    .click();

/** An act of a row, which may stand behind 更多. */
async function take(page: Page, name: string, label: string): Promise<void> {
  const direct = row(page, name).getByRole('button', { name: label, exact: true });
  await row(page, name).waitFor();
  if ((await direct.count()) > 0) return direct.click();
  await row(page, name).getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).last().click();
}

const NAME = '出院随访群欢迎';

journey(
  'a greeting is written, judged by somebody else and found by the test; a second one of its scope is refused',
  async ({ page, enter, otherBrowser }) => {
    await enter('corpus_ops', '/welcomeMessage');
    await row(page, '欢迎入群（通用）').waitFor();
    await page.getByRole('button', { name: '新增欢迎语' }).click();
    const form = page.getByRole('dialog', { name: '新增欢迎语' });
    await form.getByLabel('名称').fill(NAME);
    await form.getByLabel('触发时机').click();
    await pick(page, '建群');
    await form.getByRole('button', { name: /选择素材/ }).click();
    const choice = page.getByRole('dialog', { name: '选择素材' });
    await choice.getByLabel('搜索素材').fill('欢迎入群');
    await choice
      .getByRole('row', { name: /欢迎入群/ })
      .getByRole('button', { name: '选择', exact: true })
      .click();
    await choice.getByRole('button', { name: /确定/ }).click();
    await form
      .getByLabel('手机预览')
      .getByText(/欢迎加入/)
      .waitFor();
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '新增成功');
    await take(page, NAME, '提交审核');
    await confirm(page);
    await row(page, `${NAME}.*待审核`).waitFor();

    const auditor = await otherBrowser();
    await enter('medical_a', '/welcomeMessage', auditor);
    await take(auditor, NAME, '通过');
    await confirm(auditor);
    await auditor.getByText('该范围已有启用的欢迎语（欢迎入群（通用））').first().waitFor();
    await auditor.keyboard.press('Escape');
    await auditor.getByRole('button', { name: '命中测试' }).click();
    const test = auditor.getByRole('dialog', { name: '命中测试' });
    await test.getByText('命中：欢迎入群（通用）（默认）').waitFor();
    await test
      .getByRole('row', { name: /病种欢迎.*适用范围不符/ })
      .first()
      .waitFor();
  },
);

journey('the notices stand beside the greetings, each with what it sent; one is looked at and copied', async ({ page, enter }) => {
  await enter('corpus_ops', '/welcomeMessage');
  await tab(page, '服务通知').click();
  await row(page, '药品已发货').waitFor();
  await expect.poll(() => row(page, '理赔结果通知').textContent()).toMatch(/\d+ \/ \d+\.\d\d%/);
  await row(page, '理赔结果通知').getByText('已启用').click();
  const detail = page.getByRole('dialog', { name: '服务通知详情' });
  await detail.getByText('无会话时发送短信').waitFor();
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });
  await take(page, '理赔结果通知', '复制');
  const copy = page.getByRole('dialog', { name: '复制服务通知' });
  await expect.poll(() => copy.getByLabel('名称').inputValue()).toBe('理赔结果通知-副本');
  await copy.getByRole('button', { name: '确定', exact: true }).click();
  await toast(page, '新增成功');
  await take(page, '理赔结果通知-副本', '删除');
  await confirm(page);
  await toast(page, '删除成功');
});
