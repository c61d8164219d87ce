import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Download } from 'playwright-core';
import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { unzipEntry, zipEntries } from '#kernel/server/documents/zipRead.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { choose, confirm, dialog, row, toast } from '../steps.ts';
import { listed } from './listFile.ts';
import { openPolicy } from './policySteps.ts';

withBrowser();

const SHEET = '承保清单';
const HOLDER = '巡检医用敷料与康复器械（苏州工业园区）股份有限公司';
/** What the sender calls the columns; the template of everybody knows the last four. */
const HEADERS = ['保单编号', '险种代码', '投保单位', '保险起期', '保险止期', '姓名', '证件号码', '计划', '生效日期'] as const;
const OF_POLICY = [
  ['保单编号', '保单号'],
  ['险种代码', '产品编码'],
  ['投保单位', '投保人'],
  ['保险起期', '起保日期'],
  ['保险止期', '终保日期'],
] as const;

/** A workbook whose list is not on its first sheet. */
const workbook = async (rows: readonly (readonly string[])[]) => {
  const cells = (texts: readonly string[]) => texts.map((text) => ({ text }));
  return {
    name: '首次承保.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await bufferOf(
      xlsxStream([
        { name: '填写说明', widths: [40], rows: [cells(['每人一行，日期写作2026-01-01'])] },
        { name: SHEET, widths: HEADERS.map(() => 16), rows: [HEADERS, ...rows].map(cells) },
        { name: '字典', widths: [20], rows: [cells(['P1', '一档'])] },
      ]),
    ),
  };
};
/** All text of a workbook's first sheet. */
async function sheetOf(download: Download): Promise<string> {
  const bytes = await readFile(await download.path());
  const sheet = zipEntries(bytes).find(({ name }) => name === 'xl/worksheets/sheet1.xml')!;
  return (await unzipEntry(bytes, sheet, 1_000_000)).toString();
}

journey(
  'policies come with a first list: from the sheet that was chosen, its columns named, its wrong cell mended in place, with their persons',
  async ({ page, enter, today }) => {
    const no = (at: number) => `SQ${today.replaceAll('-', '')}0${at}`;
    const people = [listed('周五鸣', 781), listed('周六鸣', 783), listed('周七鸣', 785)] as const;
    const end = plusDays(today, 364);
    const line = (at: number, { name, idNo }: (typeof people)[number], day = today) =>
      [no(at), 'CHR-2026', HOLDER, today, end, name, idNo, 'P1', day] as const;
    await enter('product_a', '/inventoryListManagement');
    await page.getByRole('button', { name: '导入清单' }).click();
    const wizard = dialog(page, '导入被保人清单');
    await wizard
      .locator('input[type=file]')
      .setInputFiles(await workbook([line(1, people[0]), line(1, people[1], '2026-02-30'), line(2, people[2])]));
    await choose(wizard, '工作表', SHEET);
    await wizard.getByText('按表头识别为“标准清单”').waitFor();
    await choose(wizard, '方式', '首次承保');
    await wizard.getByRole('button', { name: '下一步' }).click();

    // Nothing says yet which policies these are.
    await wizard.getByText('请设置保单号列，或返回上一步选择保单').waitFor();
    await wizard.getByText('未识别的列不会导入：保单编号、险种代码、投保单位、保险起期、保险止期').waitFor();
    expect(await wizard.getByRole('button', { name: '开始校验' }).isDisabled()).toBe(true);
    for (const [header, field] of OF_POLICY) {
      await choose(wizard, `“${header}”对应的字段`, field, field);
      await wizard.getByRole('alert').filter({ hasText: header }).waitFor({ state: 'detached' });
    }
    await row(wizard, people[1].name).getByText('“2026-02-30”不是有效日期').waitFor();
    await row(wizard, people[0].name).getByText('可读取').waitFor();
    // The next list of this sender is read as this one was.
    await wizard.getByRole('button', { name: '保存为模板' }).click();
    const saving = page.getByRole('dialog', { name: '保存为模板' });
    await saving.getByLabel('模板名称').fill('巡检首次承保清单');
    await saving.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    await saving.waitFor({ state: 'hidden' });
    await wizard.getByRole('button', { name: '开始校验' }).click();

    const list = dialog(page, '清单批次');
    await list.getByText('有错误').first().waitFor();
    await row(list, people[1].name).getByText('“2026-02-30”不是有效日期').waitFor();
    await row(list, people[0].name).getByText('新增').waitFor();
    const errors = page.waitForEvent('download');
    await list.getByRole('button', { name: '下载错误文件' }).click();
    expect((await errors).suggestedFilename()).toMatch(/^QD\d+_错误行\.xlsx$/);
    const all = page.waitForEvent('download');
    await list.getByRole('button', { name: '下载校验结果' }).click();
    const sheet = await sheetOf(await all);
    expect(sheet).toContain('“2026-02-30”不是有效日期');
    for (const { name } of people) expect(sheet).toContain(name);
    await page.keyboard.press('F8');
    const mending = dialog(page, `第3行 ${people[1].name}`);
    await mending.getByLabel('生效日期').fill(today);
    await mending.getByRole('button', { name: '更正并校验' }).click();
    await mending.waitFor({ state: 'hidden' });

    await list.getByText('待确认').first().waitFor();
    await list.getByRole('button', { name: '提交生效' }).waitFor();
    expect(await list.locator('.pol-cards').innerText()).toMatch(/新增\s*3\s[\s\S]*追溯生效\s*无\s[\s\S]*1,095\.00元/);
    await list.getByRole('button', { name: '提交生效' }).click();
    await confirm(page);
    await toast(page, '提交成功!');
    await list.getByText('已生效').first().waitFor();
    await list.getByText('批次已生效，列表刷新中').waitFor({ state: 'detached' });

    await enter('product_a', `/policyManage?policyNo=${no(1)}`);
    await row(page, no(1)).getByText('2/0').waitFor();
    expect(await row(page, no(1)).innerText()).toContain(HOLDER);
    const policy = await openPolicy(page, no(1), '被保人');
    for (const { name } of people.slice(0, 2)) await row(policy, name).getByText('保障中').waitFor();
    await policy.getByRole('tab', { name: '保费' }).click();
    await policy.getByRole('row').filter({ hasText: '730.00' }).getByText('待审核').waitFor();
    await enter('product_a', `/policyManage?policyNo=${no(2)}`);
    await row(page, no(2)).getByText('1/0').waitFor();
    await openPolicy(page, no(2), '被保人');
    await row(policy, people[2].name).getByText('保障中').waitFor();
  },
);
