import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dictionary } from '../../contract/dictionary.ts';
import { isIdNumber } from '../../contract/idNumber.ts';
import type { Db, Staff } from '../context.ts';
import { type XlsxCell, type XlsxSheet, bufferOf, xlsxStream } from '../documents/xlsxStream.ts';
import { annotatedTable } from './annotate.ts';
import { checkTable } from './checkTable.ts';
import type { ImportColumn, Importer } from './importer.ts';
import { csvRows } from './readCsv.ts';
import { dayOfText, parseCell } from './parseCell.ts';
import { readTable } from './readTable.ts';
import { decodeRecord, encodeRecord } from './records.ts';
import { NOTES_SHEET, TEMPLATE_MARK, templateOf } from './template.ts';

const importer: Importer = {
  code: 'test.person',
  label: '人员',
  templateVersion: '2',
  permission: 'test.person.import',
  maxRows: 5,
  columns: [
    { key: 'name', label: '姓名', type: 'text', required: true, maxLength: 4 },
    { key: 'sex', label: '性别', type: 'dict', dictionary: dictionary('sex', { M: '男', F: '女' }) },
    { key: 'amount', label: '金额', type: 'money' },
    { key: 'day', label: '日期', type: 'day' },
  ],
  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),
  commitChunk: async () => new Map(),
};

const text = (...values: string[]): XlsxCell[] => values.map((value) => ({ text: value }));
const notes = (code = importer.code, version = importer.templateVersion): XlsxSheet => ({
  name: NOTES_SHEET,
  widths: [],
  rows: [text(TEMPLATE_MARK, code, '模板版本', version)],
});
const book = (rows: XlsxCell[][], marks = notes()) => bufferOf(xlsxStream([{ name: '数据', widths: [], rows }, marks]));
const header = text('*姓名', '性别', '金额', '日期');
const reading = { db: {} as Db, staff: {} as Staff, params: {}, now: '2026-11-21T02:00:00.000Z' };

describe('reading an uploaded table', () => {
  const refused: [string, () => Promise<Buffer>, string, string][] = [
    [
      'a workbook without the notes',
      () => bufferOf(xlsxStream([{ name: '数据', widths: [], rows: [header, text('张三')] }])),
      'SCM02030',
      '未识别',
    ],
    ['the template of another importer', () => book([header, text('张三')], notes('other')), 'SCM02030', '未识别'],
    ['an older template', () => book([header, text('张三')], notes(importer.code, '1')), 'SCM02031', '重新下载'],
    ['a missing column', () => book([text('姓名', '日期'), text('张三')]), 'SCM02032', '性别、金额'],
    ['no rows', () => book([header, text('', ' ')]), 'SCM02033', '没有数据'],
    ['too many rows', () => book([header, ...Array.from({ length: 6 }, () => text('张三'))]), 'SCM02034', '5行'],
  ];
  it.each(refused)('refuses %s', async (_name, make, code, part) => {
    await expect(readTable(await make(), 'xlsx', importer)).rejects.toMatchObject({ code, message: expect.stringContaining(part) });
  });

  it('reads its own template once rows are filled in, keeping true row numbers', async () => {
    expect((await templateOf(importer)).subarray(0, 2).toString()).toBe('PK');
    await expect(readTable(await templateOf(importer), 'xlsx', importer)).rejects.toMatchObject({ code: 'SCM02033' });
    const rows = await readTable(await book([header, [], text('张三', '男', '1.50')]), 'xlsx', importer);
    expect(rows).toEqual([{ rowNo: 3, cells: { name: '张三', sex: '男', amount: '1.50', day: undefined } }]);
  });

  it('reads CSV in UTF-8 and GB18030', async () => {
    const csv = '姓名,性别,金额,日期\r\n"张,三",女,,2026/1/5\r\n';
    const expected = [{ rowNo: 2, cells: { name: '张,三', sex: '女', amount: '', day: '2026/1/5' } }];
    expect(await readTable(Buffer.from(`\uFEFF${csv}`), 'csv', importer)).toEqual(expected);
    // 姓名,性别,金额,日期 / 张三 in GB18030
    const gb = Buffer.from('d0d5c3fb2cd0d4b1f02cbdf0b6ee2cc8d5c6da0ad5c5c8fd2c2c2c0a', 'hex');
    expect((await readTable(gb, 'csv', importer))[0]!.cells.name).toBe('张三');
  });
});

describe('cells', () => {
  const column = (type: ImportColumn['type'], more: Partial<ImportColumn> = {}): ImportColumn => ({ key: 'x', label: '列', type, ...more });
  it.each([
    [column('text'), '　ＡＢ１２，张三 ', 'AB12，张三'],
    [column('text'), '12', '12'],
    [column('int'), '１,２００', 1200],
    [column('money'), '￥1,234.5', 123450n],
    [column('money'), '0.3', 30n],
    [column('bp'), '1.25%', 125],
    [column('bp'), '0.0125', 125],
    [column('day'), '2026年1月5日', '2026-01-05'],
    [column('day'), '2026-01-05 08:30:00', '2026-01-05'],
    [column('mobile'), '+86 138-1234-5678', '13812345678'],
    [column('idNo'), '11010519491231002x', '11010519491231002X'],
    [column('adcode'), '310101', '310101'],
    [column('dict', { dictionary: dictionary('d', { A: '甲' }) }), '甲', 'A'],
    [column('text'), ' ', null],
  ])('%o reads %o as %o', (of, raw, value) => expect(parseCell(of, raw)).toEqual({ value }));

  it.each([
    [column('text', { required: true }), ' ', '列不能为空'],
    [column('text', { maxLength: 2 }), 'abc', '列最多2个字符'],
    [column('int'), '1.5', '列须为整数'],
    [column('money'), '1.234', '列须为金额，最多两位小数'],
    [column('day'), '2026-02-30', '列须为日期，格式YYYY-MM-DD'],
    [column('mobile'), '12345678901', '列须为11位手机号码'],
    [column('idNo'), '110105194912310021', '列不是有效的18位身份证号码（校验位不正确）'],
    [column('dict', { dictionary: dictionary('d', { A: '甲' }) }), '乙', '列不在可选范围内'],
  ])('%o refuses %o', (of, raw, fault) => expect(parseCell(of, raw)).toEqual({ fault }));

  it('never takes a wrong check character of an id card', () => {
    fc.assert(fc.property(fc.constantFrom(...'0123456789'), (sign) => isIdNumber(`11010519491231002${sign}`) === false));
  });
  it('gives every calendar day back', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1900-03-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (at) => {
        const day = at.toISOString().slice(0, 10);
        return dayOfText(day) === day && dayOfText(day.replaceAll('-', '')) === day;
      }),
    );
  });
});

it('reads back every CSV table, whatever stands in its cells', () => {
  const cell = fc.string({ unit: fc.constantFrom('甲', 'a', '"', ',', '\n', '\r', ' '), maxLength: 6 });
  const written = (rows: string[][]) =>
    rows.map((cells) => cells.map((one) => (/[",\n\r]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(',')).join('\r\n');
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
      expect([...csvRows(written(rows))]).toEqual(rows);
      expect([...csvRows(`${written(rows)}\r\n`)]).toEqual(rows);
      expect([...csvRows(written(rows), { maxRows: 1 })]).toEqual(rows.slice(0, 1));
    }),
  );
  expect([...csvRows('"甲"乙,5" x\n,')]).toEqual([
    ['甲乙', '5" x'],
    ['', ''],
  ]);
});

describe('checking a table', () => {
  const rows = [
    { rowNo: 2, cells: { name: '张三', sex: '男', amount: '1.5', day: '' } },
    { rowNo: 3, cells: { name: '', sex: '男', amount: 'x', day: '' } },
    { rowNo: 4, cells: { name: '李四', sex: '女', amount: '', day: '2026-01-05' } },
  ];
  it('collects all faults, plans the rest, and marks the same cells in the result file', async () => {
    const strict = {
      ...importer,
      validateAll: async () => [{ rowNo: 4, columnKey: 'day', severity: 'WARN' as const, message: '日期较早' }],
    };
    const checked = await checkTable(strict, rows, reading);
    expect(checked.faults.map(({ rowNo, columnKey }) => [rowNo, columnKey])).toEqual([
      [3, 'name'],
      [3, 'amount'],
      [4, 'day'],
    ]);
    expect(checked.counts).toEqual({ total: 3, ok: 2, error: 1, warn: 1, new: 2, changed: 0, same: 0 });
    expect(checked.rows.map(({ action }) => action)).toEqual(['NEW', 'ERROR', 'NEW']);
    const { readXlsx } = await import('hucre');
    const book = await readXlsx(await annotatedTable(strict, checked.rows, checked.faults, '张三'), { readStyles: true });
    const sheet = book.sheets[0]!;
    expect(sheet.rows[2]![4]).toBe('姓名不能为空；金额须为金额，最多两位小数');
    const marked = [...(sheet.cells ?? new Map())]
      .filter(([, cell]) => cell.style?.fill?.fgColor?.rgb?.includes('F9C9C4'))
      .map(([place]) => place);
    expect(marked.toSorted()).toEqual(['2,0', '2,2']);
  });

  it('shows what the rules say of a row beside its unreadable cells, once', async () => {
    const ruled: Importer = {
      ...importer,
      checksBrokenRows: true,
      validateRow: ({ rowNo }) => [
        { rowNo, columnKey: 'day', severity: 'ERROR', message: '日期已过' },
        { rowNo, columnKey: 'amount', severity: 'ERROR', message: '金额过大' },
      ],
    };
    const faultsOf = async (one: Importer) =>
      (await checkTable(one, [rows[1]!], reading)).faults.map(({ columnKey, message }) => `${columnKey} ${message}`);
    expect(await faultsOf(ruled)).toEqual(['name 姓名不能为空', 'amount 金额须为金额，最多两位小数', 'day 日期已过']);
    expect(await faultsOf({ ...ruled, checksBrokenRows: false })).toEqual(['name 姓名不能为空', 'amount 金额须为金额，最多两位小数']);
  });

  it('gives the same fingerprint for the same values written differently, another for another value', async () => {
    const hashOf = async (changed: Record<string, string>) =>
      (await checkTable(importer, [{ rowNo: 2, cells: { ...rows[0]!.cells, ...changed } }], reading)).rowsHash;
    expect(await hashOf({ amount: '￥1.50', name: ' 张三　' })).toBe(await hashOf({}));
    expect(await hashOf({ amount: '1.51' })).not.toBe(await hashOf({}));
  });

  it('stores records and reads them back', () => {
    const record = { name: '张三', sex: 'M', amount: 150n, day: null };
    expect(decodeRecord(importer.columns, encodeRecord(importer.columns, record))).toEqual(record);
  });
});
