import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import type { Page } from 'playwright-core';

withBrowser();

const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();

journey(
  'a material is written with its preview, refused for a forbidden word, submitted, and judged by keys',
  async ({ page, enter, otherBrowser }) => {
    await enter('corpus_ops', '/corpus');
    await page.getByRole('button', { name: '素材库', exact: true }).click();
    await page.getByRole('button', { name: '新增素材' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('素材标题').fill('旅行提醒');
    const text = form.getByLabel('文本内容');
    await text.fill('{{患者称呼:您}}，本方可根治');
    await form.locator('mark', { hasText: '根治' }).first().waitFor();
    await form.getByLabel('手机预览').getByText('王先生，').waitFor();
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '新增成功!');
    const detail = page.getByRole('dialog');
    await detail.getByRole('button', { name: '提交审核' }).click();
    await page.getByRole('dialog', { name: '提交审核' }).getByRole('button', { name: '确定' }).click();
    await toast(page, '文本包含禁用词：根治');
    await detail.getByRole('button', { name: '编辑' }).click();
    const again = page.getByRole('dialog', { name: /编辑素材/ });
    await again.getByLabel('文本内容').fill('{{患者称呼:您}}，出行请带足药品');
    await again.getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '修改成功!');
    await detail.getByRole('button', { name: '提交审核' }).click();
    await page.getByRole('dialog', { name: '提交审核' }).getByRole('button', { name: '确定' }).click();
    await toast(page, '操作成功!');
    await detail.getByText('待审核').first().waitFor();

    const auditor = await otherBrowser();
    await enter('medical_a', '/corpus?view=material&part=audit', auditor);
    const queue = auditor.getByRole('region', { name: '待审核素材' });
    await auditor.getByRole('button', { name: '旅行提醒' }).first().click();
    await queue.getByRole('heading', { name: '旅行提醒' }).waitFor();
    await queue.getByText('王先生，出行请带足药品').waitFor();
    await auditor.getByRole('heading', { name: '旅行提醒' }).click();
    await auditor.keyboard.press('a');
    await toast(auditor, '操作成功!');
    await expect.poll(() => auditor.getByRole('button', { name: '旅行提醒' }).count()).toBe(0);
  },
);
