import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import type { Page } from 'playwright-core';

withBrowser();

const toast = (page: Page, text: string) => page.locator('.kq-toast', { hasText: text }).first().waitFor();

journey(
  'a material is written with its preview, refused for a forbidden word, submitted, and judged by keys',
  async ({ page, enter, otherBrowser, allow }) => {
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
    // What could not be read is said, and read again where it is said.
    allow(/queryMaterialDetail|ERR_FAILED/);
    await page.route('**/queryMaterialDetail', (route) => route.abort());
    await detail.getByRole('button', { name: '编辑' }).click();
    const again = page.getByRole('dialog', { name: /编辑素材/ });
    await again.getByText('加载失败：网络连接错误').waitFor();
    await page.unroute('**/queryMaterialDetail');
    await again.getByRole('button', { name: '重新加载' }).click();
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

journey(
  'questions are put into another order by their arrows and their keys; a question keeps what was written of it',
  async ({ page, enter }) => {
    await enter('corpus_ops', '/corpus?view=form');
    await page.getByRole('button', { name: '新增问卷' }).click();
    const form = page.getByRole('dialog');
    for (const [index, title] of ['是否头晕', '是否按时服药'].entries()) {
      await form.getByRole('button', { name: '添加题目' }).click();
      await form
        .getByRole('region', { name: `第${index + 1}题` })
        .getByLabel('题目', { exact: true })
        .fill(title);
    }
    const titles = () =>
      form
        .getByRole('region', { name: /^第\d题$/ })
        .getByLabel('题目', { exact: true })
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement | HTMLTextAreaElement).value));
    await form.getByRole('button', { name: '第2题上移' }).click();
    await expect.poll(titles).toEqual(['是否按时服药', '是否头晕']);
    await form.getByRole('region', { name: '第1题' }).getByLabel('题目', { exact: true }).press('Alt+ArrowDown');
    await expect.poll(titles).toEqual(['是否头晕', '是否按时服药']);
    await form
      .getByLabel('手机预览')
      .getByText(/1.*是否头晕/)
      .waitFor();
  },
);
