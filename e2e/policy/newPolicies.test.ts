import { expect } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { journey, withBrowser } from '../journey.ts';
import { importAll, row } from '../steps.ts';
import { csvFile } from './listFile.ts';

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
    await importAll(page, wizard, no(2));
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
