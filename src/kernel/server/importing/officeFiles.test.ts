import type { Cell, CellValue } from 'hucre';
import { describe, expect, it } from 'vitest';
import { dictionary } from '../../contract/dictionary.ts';
import { firstCharacters, mobileForm, nameForm } from '../../contract/plainText.ts';
import type { Db, Staff } from '../context.ts';
import { checkTable, HIDDEN_ROW } from './checkTable.ts';
import type { Importer } from './importer.ts';
import { readTable, type RawRow } from './readTable.ts';
import { NOTES_SHEET, TEMPLATE_MARK } from './template.ts';

// Files as offices send them: the same table as a workbook and as a text.

const importer: Importer = {
  code: 'test.office',
  label: '人员',
  templateVersion: '1',
  permission: 'test.office.import',
  maxRows: 3,
  columns: [
    { key: 'name', label: '姓名', type: 'text', required: true, maxLength: 20, form: nameForm },
    { key: 'idNo', label: '身份证号', type: 'idNo' },
    { key: 'code', label: '编码', type: 'text' },
    { key: 'mobile', label: '手机号', type: 'mobile' },
    { key: 'day', label: '日期', type: 'day' },
    { key: 'kind', label: '类型', type: 'dict', dictionary: dictionary('officeKind', { A: '甲', B: '乙' }) },
  ],
  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),
  commitChunk: async () => new Map(),
};
const HEADER = importer.columns.map(({ label }) => label);
const reading = { db: {} as Db, staff: {} as Staff, params: {}, now: '2026-11-29T02:00:00.000Z' };
const NOTES = { name: NOTES_SHEET, rows: [[TEMPLATE_MARK, importer.code, '模板版本', '1']] };

interface Written {
  name?: string;
  rows: CellValue[][];
  cells?: Map<string, Partial<Cell>>;
  merges?: { startRow: number; startCol: number; endRow: number; endCol: number }[];
  rowDefs?: Map<number, { hidden?: boolean }>;
  hidden?: boolean;
}
async function workbook(...sheets: Written[]): Promise<Buffer> {
  const { writeXlsx } = await import('hucre');
  return Buffer.from(await writeXlsx({ sheets: [...sheets.map((sheet, at) => ({ name: `表${at + 1}`, ...sheet })), NOTES] }));
}
const quoted = (value: CellValue) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`);
const text = (rows: CellValue[][], separator = ',') => Buffer.from(rows.map((cells) => cells.map(quoted).join(separator)).join('\r\n'));

async function recordsOf(rows: readonly RawRow[]) {
  const checked = await checkTable(importer, rows, reading);
  return {
    records: checked.rows.map(({ rowNo, record }) => ({ rowNo, ...record })),
    faults: checked.faults.map(({ rowNo, columnKey, severity, message }) => `${rowNo} ${columnKey} ${severity} ${message}`),
  };
}
const fromBook = async (...sheets: Written[]) => recordsOf(await readTable(await workbook(...sheets), 'xlsx', importer));
const fromText = async (bytes: Buffer) => recordsOf(await readTable(bytes, 'csv', importer));

/** The faults of one row, in both kinds of file. */
async function faultsOf(cells: CellValue[]): Promise<[string[], string[]]> {
  const rows = [HEADER, cells];
  return [(await fromBook({ rows })).faults, (await fromText(text(rows))).faults];
}

describe('what nobody can read any more is a fault of its column', () => {
  it.each([
    ['a certificate that Excel wrote as a power of ten', ['张三', '1.10105E+17'], 'idNo', '身份证号的数字“1.10105E+17”超过15位'],
    ['a code of a power of ten', ['张三', null, '2.02611E+17'], 'code', '编码的数字“2.02611E+17”超过15位'],
    ['an error', ['张三', null, '#N/A'], 'code', '编码的单元格是错误值#N/A'],
    ['a reference that is gone', ['#REF!'], 'name', '姓名的单元格是错误值#REF!'],
    ['a column that is too narrow', ['张三', null, null, null, '########'], 'day', '日期的内容是####'],
    ['five digits for a day', ['张三', null, null, null, '20261'], 'day', '日期须为日期'],
    ['a year of two digits', ['张三', null, null, null, '26-1-5'], 'day', '日期须为日期'],
    ['a range of days', ['张三', null, null, null, '2026-01-05~2026-02-05'], 'day', '日期须为日期'],
    ['words behind a day', ['张三', null, null, null, '2026-01-05起'], 'day', '日期须为日期'],
    ['a day of another age', ['张三', null, null, null, '1899-12-31'], 'day', '日期须为日期'],
    ['a province that is none', ['张三', '990105194912310021'], 'idNo', '省份代码不存在'],
    ['a birth before 1900', ['张三', '11010518491231002X'], 'idNo', '出生日期不存在'],
    ['a birth to come', ['张三', '110105202612310022'], 'idNo', '出生日期不存在'],
  ] as [string, CellValue[], string, string][])('%s', async (_what, cells, column, part) => {
    for (const faults of await faultsOf(cells)) expect(faults).toEqual([expect.stringMatching(new RegExp(`^2 ${column} ERROR `))]);
    for (const [fault] of await faultsOf(cells)) expect(fault).toContain(part);
  });

  it('numbers of more than 15 digits, whatever the column takes, and formulas that were saved without a value', async () => {
    const { faults } = await fromBook({
      rows: [HEADER, ['张三', 110_105_194_912_310_020, 2_026_110_000_000_001_280]],
      cells: new Map([['1,3', { formula: 'A2&"x"' }]]),
    });
    expect(faults).toEqual([
      expect.stringContaining('2 idNo ERROR 身份证号的数字“1.10105E+17”超过15位'),
      expect.stringContaining('2 code ERROR 编码的数字“2.02611E+18”超过15位'),
      expect.stringContaining('2 mobile ERROR 手机号的公式没有保存计算结果'),
    ]);
  });
});

describe('a table is read as the operator sees it', () => {
  it('numbers with their leading zeros, days, values of formulas, blank rows and titles above the header', async () => {
    const { records, faults } = await fromBook({
      rows: [['某某公司人员表'], [], HEADER, [], ['张三', null, 12, 13_900_000_001, new Date('2026-01-05T00:00:00Z'), '甲']],
      cells: new Map<string, Partial<Cell>>([
        ['4,2', { value: 12, style: { numFmt: '000000' } }],
        ['4,5', { formula: '"甲"', formulaResult: '甲', value: '甲' }],
      ]),
      merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 5 }],
    });
    expect(faults).toEqual([]);
    expect(records).toEqual([{ rowNo: 5, name: '张三', idNo: null, code: '000012', mobile: '13900000001', day: '2026-01-05', kind: 'A' }]);
    const csv = await fromText(text([['某某公司人员表'], [], HEADER, [], ['张三', null, '000012', '13900000001', '2026-01-05', '甲']]));
    expect(csv).toEqual({ records, faults });
  });

  it('sheets in any order; a hidden one is not read, and two with data are refused', async () => {
    const people = (...names: string[]) => [HEADER, ...names.map((name) => [name])];
    const namesOf = async (...sheets: Written[]) => (await fromBook(...sheets)).records.map((record) => Reflect.get(record, 'name'));
    expect(await namesOf({ rows: [['说明']] }, { rows: people('旧'), hidden: true }, { rows: people('张三') })).toEqual(['张三']);
    await expect(fromBook({ rows: people('张三') }, { rows: people('李四') })).rejects.toMatchObject({
      code: 'SCM02045',
      message: expect.stringContaining('“表1”和“表2”'),
    });
    await expect(fromBook({ rows: [['说明']] }, { rows: people('张三'), hidden: true })).rejects.toMatchObject({
      code: 'SCM02032',
      message: expect.stringContaining('隐藏的工作表“表2”'),
    });
  });

  it('merged cells in what is read are refused by their place', async () => {
    const merges = [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }];
    await expect(fromBook({ rows: [HEADER, ['张三'], [null, null, 'x']], merges })).rejects.toMatchObject({
      code: 'SCM02035',
      message: expect.stringContaining('A2:A3'),
    });
  });

  it('rows that are hidden are read with a warning', async () => {
    const { records, faults } = await fromBook({ rows: [HEADER, ['张三'], ['李四']], rowDefs: new Map([[2, { hidden: true }]]) });
    expect(records.map(({ rowNo }) => rowNo)).toEqual([2, 3]);
    expect(faults).toEqual([`3 name WARN ${HIDDEN_ROW}`]);
  });

  it.each([
    ['tabs', text([HEADER, ['张,三']], '\t')],
    ['semicolons', text([HEADER, ['张,三']], ';')],
    ['what a first line says', Buffer.concat([Buffer.from('sep=|\r\n'), text([HEADER, ['张,三']], '|')])],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${text([HEADER, ['张,三']], '\t').toString()}`, 'utf16le')],
    ['UTF-16 without it', Buffer.from(text([HEADER, ['张,三']], '\t').toString(), 'utf16le')],
    ['UTF-16 the other way round', Buffer.from(`\uFEFF${text([HEADER, ['张,三']]).toString()}`, 'utf16le').swap16()],
  ])('a text is read with %s', async (_what, bytes) => {
    expect((await fromText(bytes)).records).toMatchObject([{ rowNo: 2, name: '张,三' }]);
  });
});

describe('no row is lost in silence', () => {
  const many = Array.from({ length: 5_000 }, (): CellValue[] => [' ']);
  it('blank rows count against no limit, one row too many is refused', async () => {
    const rows = [HEADER, ['张三'], ...many, ['李四']];
    for (const { records } of [await fromBook({ rows }), await fromText(text(rows))])
      expect(records.map(({ rowNo }) => rowNo)).toEqual([2, 5_003]);
    const over = [HEADER, ...['一', '二', '三', '四'].map((name) => [name])];
    await expect(fromBook({ rows: over })).rejects.toMatchObject({ code: 'SCM02034' });
    await expect(fromText(text(over))).rejects.toMatchObject({ code: 'SCM02034' });
  });

  it('a row that fills only what no column reads is a row with faults', async () => {
    const rows = [[...HEADER, '备注'], ['张三'], [...HEADER.map(() => null), '待补']];
    for (const { records, faults } of [await fromBook({ rows }), await fromText(text(rows))]) {
      expect(records).toHaveLength(2);
      expect(faults).toEqual(['3 name ERROR 姓名不能为空']);
    }
  });

  it.each([
    ['is never closed', '姓名,编码\n张三,1\n"李四,2\n王五,3\n'],
    ['is closed by another row', '姓名,编码\n张三,1\n"李四,2\n王"五,3\n'],
  ])('a quote that %s is refused by its row', async (_what, csv) => {
    const small = { ...importer, columns: importer.columns.filter(({ key }) => key === 'name' || key === 'code') };
    await expect(readTable(Buffer.from(csv), 'csv', small)).rejects.toMatchObject({
      code: 'SCM02044',
      message: expect.stringContaining('第3行'),
    });
  });
});

describe('texts of persons', () => {
  it('names are one form, mobiles are digits, in both kinds of file', async () => {
    const rows = [
      HEADER,
      ['\u200B买买提 ．艾力\u202C', null, null, '\u202D+86 138-1234-5678\u202C'],
      ['欧 阳　娜 娜', null, null, '0086１３８１２３４５６７８'],
    ];
    for (const { records, faults } of [await fromBook({ rows }), await fromText(text(rows))]) {
      expect(faults).toEqual([]);
      expect(records).toMatchObject([
        { name: '买买提·艾力', mobile: '13812345678' },
        { name: '欧阳娜娜', mobile: '13812345678' },
      ]);
    }
    expect(nameForm(' Li   Ming ')).toBe('Li Ming');
    expect(mobileForm('139 0000 0001')).toBe('13900000001');
  });

  it('a text is cut between characters', () => {
    expect(firstCharacters('𠮷田太郎', 2)).toBe('𠮷田');
    expect(firstCharacters('e\u0301abc', 1)).toBe('e\u0301');
    expect(firstCharacters('张三', 5)).toBe('张三');
  });
});
