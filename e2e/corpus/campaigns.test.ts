import { expect } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, day, dialog, row, toast } from '../steps.ts';

withBrowser();

const NAME = '冬季血糖监测提醒';

journey(
  'a campaign is written, its audience looked at, passed by another person and stopped',
  async ({ page, otherBrowser, enter, today }) => {
    await enter('corpus_ops', '/taskManagement?tab=campaigns');
    await row(page, '联合国糖尿病日科普')
      .getByText(/\d+ \/ 18/)
      .waitFor();
    await page.getByRole('button', { name: '新增群发' }).click();
    const form = dialog(page, '新增群发任务');
    await form.getByLabel('名称', { exact: true }).fill(NAME);
    await choose(form, '病种', '2型糖尿病');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await form.getByText('请选择素材').first().waitFor();
    await form.getByRole('button', { name: /选择素材/ }).click();
    const choice = page.getByRole('dialog', { name: '选择素材' });
    await choice.getByLabel('搜索素材').fill('2型糖尿病');
    await choice
      .getByRole('row', { name: /2型糖尿病/ })
      .first()
      .getByRole('button', { name: '选择', exact: true })
      .click();
    await choice.getByRole('button', { name: /确定/ }).click();
    await day(form, '发送日期', plusDays(today, 7));
    await choose(form, '发送时间', '10:00');
    await form.getByRole('button', { name: '确定', exact: true }).click();
    await toast(page, '新增成功!');

    const detail = dialog(page, '群发任务详情');
    await detail.getByText('尚未预览').waitFor();
    await detail.getByRole('button', { name: '提交审核' }).click();
    await confirm(page);
    await toast(page, '请先预览人群');
    await detail.getByRole('button', { name: '预览人群' }).click();
    await detail.getByText('可发送').first().waitFor();
    await detail.getByRole('button', { name: '提交审核' }).click();
    await confirm(page);
    await detail.getByText('待审核').first().waitFor();

    const other = await otherBrowser();
    await enter('medical_a', '/taskManagement?tab=campaigns', other);
    await act(other, NAME, '通过');
    await confirm(other);
    await row(other, '待发送').waitFor();

    await page.reload();
    await detail.getByRole('button', { name: '停止' }).click();
    await confirm(page, '改为线下通知');
    await detail.getByText('停止原因：改为线下通知').waitFor();
    expect(await detail.getByRole('button', { name: '停止' }).count()).toBe(0);
  },
);
