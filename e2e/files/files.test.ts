import { expect } from 'vitest';
import { NOTES_SHEET, TEMPLATE_MARK } from '#kernel/server/importing/template.ts';
import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { journey, withBrowser } from '../journey.ts';
import { importAll } from '../steps.ts';

withBrowser();

const row = (...texts: string[]) => texts.map((text) => ({ text }));

/** The disease table, filled in. */
const diseases = async (rows: readonly (readonly [string, string, string])[]) => ({
  name: '病种.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: await bufferOf(
    xlsxStream([
      { name: '数据', widths: [], rows: [row('病种编码', '病种名称', 'ICD-10前缀'), ...rows.map((cells) => row(...cells))] },
      { name: NOTES_SHEET, widths: [], rows: [row(TEMPLATE_MARK, 'corpus.disease', '模板版本', '1')] },
    ]),
  ),
});

journey(
  'a table with faults is refused with their places, corrected, committed, refused as the same content, and undone',
  async ({ page, open, enter }) => {
    await enter('corpus_ops', '/corpus');
    await page.getByRole('button', { name: '病种字典' }).click();
    await page
      .getByRole('button', { name: /导\s*入/ })
      .first()
      .click();
    const wizard = page.getByRole('dialog', { name: '导入病种字典' });
    await wizard.getByRole('button', { name: '下一步' }).click();
    const upload = async (rows: Parameters<typeof diseases>[0]) => {
      await wizard.locator('input[type=file]').setInputFiles(await diseases(rows));
      await wizard.getByRole('button', { name: '开始校验' }).click();
    };
    await upload([
      ['E2E1', '旅程病种甲', 'E11'],
      ['', '旅程病种乙', 'I10'],
      ['E2E3', '', 'J44'],
      ['E2E4', '旅程病种丁', 'Q'],
    ]);
    await wizard.getByText('有3行未通过校验（共3处），请修改后重新上传').waitFor();
    await wizard.getByText('病种编码不能为空').waitFor();
    expect(await wizard.getByRole('button', { name: '下一步' }).isDisabled()).toBe(true);
    const file = page.waitForEvent('download');
    await wizard.getByRole('button', { name: '下载标注文件' }).click();
    expect((await file).suggestedFilename()).toBe('病种_标注.xlsx');
    await wizard.getByRole('button', { name: '取消本批并重新上传' }).click();
    const good = [
      ['E2E1', '旅程病种甲', 'E11'],
      ['E2E2', '旅程病种乙', 'I10'],
    ] as const;
    await upload(good);
    await importAll(page, wizard, '旅程病种乙');
    await wizard.getByRole('button', { name: '继续导入' }).click();
    await upload(good);
    await wizard.getByText(/相同内容已于.*导入（批次DR\d+），未重复写入/).waitFor();

    await open('/downloadList?tab=imports');
    const batch = page.getByRole('row').filter({ hasText: '已完成' }).filter({ hasText: '病种.xlsx' }).first();
    await batch.getByText('整批撤销').click();
    const question = page.getByRole('dialog', { name: '整批撤销' });
    await question.getByRole('textbox').fill('导错文件');
    await question.getByRole('button', { name: /确\s*定/ }).click();
    await page.getByRole('row').filter({ hasText: '已撤销' }).filter({ hasText: '病种.xlsx' }).first().waitFor();
  },
);

journey('an export is taken with chosen columns, and a finished task downloaded by its key', async ({ page, open, enter }) => {
  await enter('admin', '/userManagement');
  await page.getByRole('button', { name: /导出/ }).first().click();
  await page.getByText('选择列…').click();
  const choice = page.getByRole('dialog', { name: '选择导出列' });
  await choice.getByRole('checkbox', { name: /手机号/ }).uncheck();
  const list = page.waitForEvent('download');
  await choice.getByRole('button', { name: /^导出（/ }).click();
  expect((await list).suggestedFilename()).toMatch(/^用户管理_\d{8}_\d{4}\.xlsx$/);

  await open('/downloadList');
  const done = page.getByRole('row').filter({ hasText: '已完成' }).first();
  await done.getByRole('checkbox').check();
  const result = page.waitForEvent('download');
  await page.keyboard.press('d');
  expect((await result).suggestedFilename()).toMatch(/^演示大数据导出_.*\.xlsx$/);
});

journey('a picture is shown with the reader’s name, turned and zoomed by keys', async ({ page, open, enter }) => {
  await enter('admin', '/downloadList?tab=files&purpose=CONTENT&fileName=出院小结');
  await page.getByRole('row').filter({ hasText: '出院小结' }).getByText('预览').click();
  const preview = page.getByRole('dialog', { name: /预览/ });
  const picture = preview.locator('img');
  await picture.waitFor();
  await page.keyboard.press('r');
  await expect.poll(() => picture.getAttribute('style')).toContain('rotate(90deg)');
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });

  // Over a drawer the key belongs to the preview alone.
  await open('/doctorManagement?name=陈立');
  await page.getByRole('row').filter({ hasText: '陈立' }).getByRole('button', { name: '详情' }).click();
  const drawer = page.getByRole('dialog').filter({ has: page.getByRole('tab', { name: '资质证件' }) });
  await drawer.getByRole('tab', { name: '资质证件' }).click();
  await drawer.getByText('查看图片').first().click();
  await preview.locator('img').waitFor();
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
  await drawer.getByText('查看图片').first().waitFor();
});
