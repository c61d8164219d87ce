import { createCanvas } from '@napi-rs/canvas';
import { expect } from 'vitest';
import { journey, withBrowser } from '../journey.ts';
import { choose, dialog, confirm, row, toast } from '../steps.ts';

withBrowser();

const picture = (name: string, width: number, height: number) => {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#1f7a6c';
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = '#ffffff';
  pen.fillText(name, 20, 20);
  return { name: `${name}.png`, mimeType: 'image/png', buffer: canvas.toBuffer('image/png') };
};

journey(
  'a banner is written, refused without its picture, handed in, passed by another person and seen in the calendar',
  async ({ page, enter }) => {
    await enter('corpus_ops', '/bannerConfig?positionCode=DR_EARNING_BANNER');
    await page.getByRole('button', { name: '新增Banner' }).click();
    const form = dialog(page, '新增Banner');
    await form.getByLabel('名称').fill('收入页新功能');
    await form.getByRole('button', { name: '一周' }).click();
    await form.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '成功');
    const made = row(page, '收入页新功能');
    await made.getByRole('button', { name: '提交审核' }).click();
    await confirm(page);
    await page.getByText('请上传图片').first().waitFor();
    await made.getByRole('button', { name: '编辑' }).click();
    const edit = dialog(page, '编辑Banner：收入页新功能');
    await edit.locator('input[type=file]').setInputFiles(picture('收入页', 750, 300));
    await edit.getByLabel('手机预览').getByRole('img').waitFor();
    await edit.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '修改成功!');
    await made.getByRole('button', { name: '提交审核' }).click();
    await confirm(page);
    await made.getByText('待审核').waitFor();
    await enter('medical_a', '/bannerConfig?positionCode=DR_EARNING_BANNER');
    await row(page, '收入页新功能').getByRole('button', { name: '通过' }).click();
    await confirm(page);
    await row(page, '收入页新功能').getByText('待投放').waitFor();
    await page.getByRole('tab', { name: '投放日历' }).click();
    await page.getByRole('group', { name: '医生收入页轮播' }).getByText('收入页新功能').waitFor();
  },
);

journey('an advertisement is held to the law, and passed at the desk once every point is answered', async ({ page, enter }) => {
  await enter('corpus_ops', '/advertiseManage');
  await page.getByRole('button', { name: '新增广告' }).click();
  const form = dialog(page, '新增广告');
  await form.getByLabel('名称').fill('根治失眠');
  await choose(form, '广告主类型', '其他');
  await form.getByLabel('广告主', { exact: true }).fill('测试广告主');
  await choose(form, '类别', '品牌');
  await form.getByText('包含广告法禁用词：根治').waitFor();
  await form.getByLabel('名称').fill('睡眠管理');
  await choose(form, '位置', '我的 · 信息流（690×240）');
  await form
    .locator('input[type=file]')
    .first()
    .setInputFiles(picture('睡眠', 690, 240));
  await form.getByLabel('手机预览').getByRole('img').waitFor();
  await form.getByRole('button', { name: '一月' }).click();
  await form.getByRole('button', { name: /确\s*定/ }).click();
  await toast(page, '成功');
  await row(page, '睡眠管理').getByRole('button', { name: '提交审核' }).click();
  await confirm(page);
  await row(page, '睡眠管理').getByText('待审核').waitFor();
  await enter('medical_a', '/advertiseManage?adName=睡眠管理');
  await row(page, '睡眠管理').getByRole('button', { name: '审核', exact: true }).click();
  const points = page.getByRole('region', { name: '审核要点' });
  await points.getByRole('button', { name: '通过（A）' }).click();
  await page.getByText('请完成审核要点').first().waitFor();
  for (const point of await points.getByRole('radiogroup').all()) await point.getByText('符合', { exact: true }).click();
  await points.getByRole('button', { name: '通过（A）' }).click();
  await toast(page, '操作成功!');
  await page.getByRole('button', { name: '关闭', exact: true }).first().click();
  await row(page, '睡眠管理').getByText('待投放').waitFor();
  await expect.poll(() => page.getByRole('button', { name: '编辑' }).count()).toBe(0);
});
