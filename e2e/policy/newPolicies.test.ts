import { expect } from 'vitest';
import { plusDays } from '../../src/kernel/contract/time.ts';
import { bufferOf, xlsxStream } from '../../src/kernel/server/documents/xlsxStream.ts';
import { journey, withBrowser } from '../journey.ts';
import { act, choose, confirm, dialog, row, toast } from '../steps.ts';
import { csvFile, listed } from './listFile.ts';

withBrowser();

const PRODUCT = 'CHR-2026';
const HOLDER = '巡检联合制药与医疗器械（华东）供应链管理股份有限公司';

journey(
  'policies come from a table: faults name their cells, the mended table is written once, and taken back whole',
  async ({ page, enter, open, today }) => {
    const no = (at: number) => `DR${today.replaceAll('-', '')}0${at}`;
    const headers = [
      '保单号',
      '产品编码',
      '保单类型',
      '投保人类型',
      '投保人名称',
      '投保人证件号',
      '投保人联系电话',
      '起保日期',
      '终保日期',
      '缴费方式',
      '宽限期（天）',
      '保费计算',
      '退费手续费率（万分之）',
      '赔付后仍退费',
      '申报人数',
      '最多追溯天数',
      '地区',
      '渠道',
    ];
    const line = (at: number, more: Partial<Record<string, string>> = {}) => {
      const cells: Record<string, string> = {
        保单号: no(at),
        产品编码: PRODUCT,
        保单类型: '团单',
        投保人类型: '企业',
        投保人名称: HOLDER,
        起保日期: today,
        终保日期: plusDays(today, 364),
        缴费方式: '趸交',
        申报人数: '12',
      };
      return headers.map((header) => more[header] ?? cells[header] ?? '');
    };
    await enter('product_a', '/policyManage');
    await page.getByRole('button', { name: '导入保单' }).click();
    const wizard = page.getByRole('dialog', { name: /导入/ });
    const file = page.waitForEvent('download');
    await wizard.getByRole('button', { name: '下载模板' }).click();
    expect((await file).suggestedFilename()).toContain('保单');
    await wizard.getByRole('button', { name: '下一步' }).click();
    const upload = async (rows: readonly (readonly string[])[]) => {
      await wizard.locator('input[type=file]').setInputFiles(csvFile('保单.csv', [headers, ...rows]));
      await wizard.getByRole('button', { name: '开始校验' }).click();
    };
    await upload([line(1), line(1), line(2, { 产品编码: 'KEINE-1' }), line(3, { 终保日期: plusDays(today, -1) })]);
    await wizard.getByText(/有3行未通过校验/).waitFor();
    for (const fault of ['保单号与第2行重复', '产品编码“KEINE-1”不存在', '终保日期不能早于起保日期'])
      await wizard.getByText(fault).first().waitFor();
    await wizard.getByRole('button', { name: '取消本批并重新上传' }).click();
    await upload([line(1), line(2, { 申报人数: '' })]);
    await wizard.getByText('全部行通过校验，可以预览并提交').waitFor();
    await wizard.getByRole('button', { name: '下一步' }).click();
    await wizard.getByText(no(2)).first().waitFor();
    await wizard.getByRole('button', { name: '下一步' }).click();
    await wizard.getByRole('button', { name: /^提\s*交$/ }).click();
    await page
      .getByRole('dialog', { name: '确认提交' })
      .getByRole('button', { name: /确\s*定/ })
      .click();
    await wizard.getByRole('heading', { name: '导入完成' }).waitFor();
    await page.keyboard.press('Escape');
    await wizard.waitFor({ state: 'detached' });
    await open(`/policyManage?policyNo=${no(1)}`);
    await row(page, no(1)).getByText('0/12').waitFor();
    await row(page, no(1)).getByText('有效').waitFor();

    // The wrong table: all of it goes again.
    await open('/downloadList?tab=imports');
    const batch = page.getByRole('row').filter({ hasText: '已完成' }).filter({ hasText: '保单.csv' }).first();
    await batch.getByText('整批撤销').click();
    const question = page.getByRole('dialog', { name: '整批撤销' });
    await question.getByRole('textbox').fill('导错文件');
    await question.getByRole('button', { name: /确\s*定/ }).click();
    await page.getByRole('row').filter({ hasText: '已撤销' }).filter({ hasText: '保单.csv' }).first().waitFor();
    await open(`/policyManage?policyNo=${no(2)}`);
    await page.getByText('没有符合条件的保单').waitFor();
  },
);

journey(
  'a first list brings its policies along: the sheet that was chosen, columns set by hand, kept as a template',
  async ({ page, enter, today }) => {
    const [one, two] = [`SC${today.replaceAll('-', '')}01`, `SC${today.replaceAll('-', '')}02`];
    const lastDay = plusDays(today, 364);
    const text = (cells: readonly string[]) => cells.map((cell) => ({ text: cell }));
    const headers = ['合同号', '产品编码', '投保单位', '起保日期', '终保日期', '姓名', '证件号码', '计划', '生效日期'];
    const people = ['郑一鸣', '郑二鸣', '郑三鸣'].map((name, at) => listed(name, 781 + 2 * at));
    const lines = people.map(({ name, idNo }, at) => [at < 2 ? one : two, PRODUCT, HOLDER, today, lastDay, name, idNo, 'P1', today]);
    const bytes = await bufferOf(
      xlsxStream([
        { name: '填写说明', widths: [40], rows: [text(['请在下一个工作表中填写'])] },
        { name: '首批清单', widths: headers.map(() => 20), rows: [headers, ...lines].map(text) },
      ]),
    );
    await enter('product_a', '/inventoryListManagement');
    await page.getByRole('button', { name: '导入清单' }).click();
    const wizard = dialog(page, '导入被保人清单');
    await wizard.locator('input[type=file]').setInputFiles({
      name: '首批承保清单.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: bytes,
    });
    await wizard.getByLabel('工作表').waitFor();
    await choose(wizard, '工作表', '首批清单');
    await choose(wizard, '方式', '首次承保');
    await choose(wizard, '模板', '人保健康', '人保健康');
    await wizard.getByRole('button', { name: '下一步' }).click();
    await wizard.getByText('请设置保单号列，或返回上一步选择保单').waitFor();
    await wizard.getByText(/未识别的列不会导入：/).waitFor();
    const isField = async (header: string, field: string) => choose(wizard, `“${header}”对应的字段`, field, field);
    await isField('合同号', '保单号');
    await isField('产品编码', '产品编码');
    await isField('投保单位', '投保人');
    await isField('起保日期', '起保日期');
    await isField('终保日期', '终保日期');
    await wizard.getByText(/未识别的列不会导入：/).waitFor({ state: 'detached' });
    await row(wizard, people[2]!.name).getByText('可读取').waitFor();
    await wizard.getByRole('button', { name: '保存为模板' }).click();
    const saving = page.getByRole('dialog', { name: '保存为模板' });
    await choose(saving, '保司', '中国人民健康保险', '人保');
    await saving.getByLabel('模板名称').fill('巡检首批承保清单');
    await saving.getByRole('button', { name: /确\s*定/ }).click();
    await toast(page, '新增成功!');
    await saving.waitFor({ state: 'hidden' });
    await wizard.getByRole('button', { name: '上一步' }).click();
    await wizard.getByText('不存在的保单将按清单新增').waitFor();
    await wizard.getByRole('button', { name: '下一步' }).click();
    await wizard.getByRole('button', { name: '开始校验' }).click();

    const list = dialog(page, '清单批次');
    await list.getByText('首批承保清单.xlsx').waitFor();
    await list.getByRole('button', { name: '提交生效' }).click();
    await page
      .getByText(/新增3人，变更0人，减员0人，保费变化\+?1,?095\.00元/)
      .first()
      .waitFor();
    await confirm(page);
    await toast(page, '提交成功!');
    await list.getByText('已生效').first().waitFor();
    await enter('product_a', `/policyManage?holderName=${encodeURIComponent(HOLDER)}`);
    for (const [policyNo, persons, due] of [
      [one, '2/0', '730.00'],
      [two, '1/0', '365.00'],
    ] as const) {
      await row(page, policyNo).getByText(persons).waitFor();
      expect(await row(page, policyNo).innerText()).toContain(HOLDER);
      await act(page, policyNo, '保费订单');
      await row(page, policyNo).getByText(due).first().waitFor();
      await enter('product_a', `/policyManage?holderName=${encodeURIComponent(HOLDER)}`);
    }
  },
);
