import { readXlsx } from 'hucre';
import { describe, expect, it } from 'vitest';
import { access } from '../../contract/call.ts';
import { exportFields, exportQueued } from '../../contract/exporting.ts';
import { declareService } from '../../contract/service.ts';
import * as z from 'zod/mini';
import type { ProcedureContext, Staff, Db } from '../context.ts';
import { bufferOf } from '../documents/xlsxStream.ts';
import { FileAnswer } from '../fileAnswer.ts';
import { exportHandler } from './exportHandler.ts';
import { presentCell } from './presentCell.ts';
import { exportName, renderExport } from './renderExport.ts';
import { type ExportColumn, exportSource, filterTextOf } from './source.ts';

const exportPeople = declareService('TestService').file({
  operation: 'exportPeople',
  label: '导出人员',
  access: access.session,
  log: 'EXPORT',
  input: { many: z.int(), ...exportFields },
  output: exportQueued,
});
interface Person {
  name: string;
  idNo: string;
  amount: string;
}
const columns: ExportColumn<Person>[] = [
  { key: 'name', label: '姓名', value: (row) => row.name },
  { key: 'idNo', label: '身份证号', sensitive: 'idNo', value: (row) => row.idNo },
  { key: 'amount', label: '金额', kind: 'money', value: (row) => row.amount },
];
const source = exportSource({
  call: exportPeople,
  title: '人员',
  routeKey: 'people',
  permission: 'test.person.view',
  columns,
  describe: ({ many }) => `共${many}人`,
  count: async ({ filter }) => filter.many,
  async *chunks({ filter }) {
    for (let at = 0; at < filter.many; at += 1000) {
      yield Array.from({ length: Math.min(1000, filter.many - at) }, () => ({
        name: '=HYPERLINK("x")',
        idNo: '11010519491231002X',
        amount: '12345',
      }));
    }
  },
});
const now = '2026-11-21T07:30:00.000Z';
// Only what the engine reads of a member of staff.
const staff = { displayName: '张三', opNo: 'A0001' } as Staff;
const reading = (many: number) => ({ db: {} as Db, staff, now, filter: { many } });

describe('cells', () => {
  it.each([
    [{ kind: 'money' as const }, '12345', '123.45'],
    [{ kind: 'money' as const }, -5n, '-0.05'],
    [{ kind: 'money' as const }, '900719925474099312', '9007199254740993.12'],
    [{ kind: 'bp' as const }, 125, '0.0125'],
    [{ kind: 'instant' as const }, '2026-11-21T16:30:00.000Z', '2026-11-22 00:30:00'],
    [{ kind: 'flag' as const }, false, '否'],
    [{ sensitive: 'idNo' as const }, '110105194912310028', '110***********0028'],
    [{}, null, ''],
  ])('%o of %o reads %s', (facts, value, text) => {
    expect(presentCell({ key: 'x', label: '列', ...facts }, value, false).text).toBe(text);
  });
});

describe('an export', () => {
  it('marks and counts what a row does not give away, and goes on', async () => {
    const told: string[] = [];
    const broken: ExportColumn<Person>[] = [
      { key: 'name', label: '姓名', value: (row) => row.name },
      { key: 'dueAt', label: '到期', kind: 'instant', value: () => '10000-01-01T11:59:59.000Z' },
      { key: 'amount', label: '金额', kind: 'money', value: () => 'abc' },
      {
        key: 'row',
        label: '行',
        value: () => {
          throw new Error('a row of another time');
        },
      },
    ];
    const part = { call: exportPeople, title: '人员', routeKey: 'people', permission: 'test.person.view' };
    const bad = exportSource({
      ...part,
      columns: broken,
      count: async () => 2,
      async *chunks() {
        yield [1, 2].map(() => ({ name: '甲', idNo: '', amount: '' }));
      },
    });
    const request = { source: bad, columns: bad.columns, plain: true, rowsTotal: 2 };
    const onUnreadable = (_error: unknown, { key }: { key: string }) => void told.push(key);
    const bytes = await bufferOf(renderExport({ ...request, format: 'XLSX', onUnreadable }, reading(2)));
    const [data, note] = (await readXlsx(bytes)).sheets;
    const marked = ['甲', '【数据异常】', '【数据异常】', '【数据异常】'];
    expect(data!.rows.slice(1)).toEqual([marked, marked]);
    expect(note!.rows).toContainEqual(['异常数据', '6个单元格无法显示，已标记【数据异常】，请联系管理员核对']);
    expect(told).toEqual(['dueAt', 'amount', 'row', 'dueAt', 'amount', 'row']);
    const csv = (await bufferOf(renderExport({ ...request, format: 'CSV' }, reading(2)))).toString();
    expect(csv.split('【数据异常】')).toHaveLength(7);
  });

  it('writes money as numbers, ids as text, the formula as text, who took it on every page, and the note last', async () => {
    const bytes = await bufferOf(renderExport({ source, columns: source.columns, format: 'XLSX', plain: true, rowsTotal: 2 }, reading(2)));
    const book = await readXlsx(bytes);
    expect(book.sheets.map(({ name }) => name)).toEqual(['数据', '说明']);
    expect(book.sheets[0]!.rows).toEqual([
      ['姓名', '身份证号', '金额'],
      ...Array.from({ length: 2 }, () => ['=HYPERLINK("x")', '11010519491231002X', 123.45]),
    ]);
    expect(book.sheets[0]!.headerFooter?.oddHeader).toContain('张三 A0001 2026-11-21 15:30');
    expect(book.sheets[1]!.rows.map((row) => row[1])).toEqual([
      '人员',
      '共2人',
      '张三（A0001）',
      '2026-11-21 15:30:00',
      '2',
      '明文',
      '内部资料，禁止外传',
    ]);
  });

  it('neutralises formulas in CSV, masks, and starts with the mark that Excel needs', async () => {
    const text = (
      await bufferOf(renderExport({ source, columns: source.columns, format: 'CSV', plain: false, rowsTotal: 1 }, reading(1)))
    ).toString();
    expect(text).toBe('\uFEFF姓名,身份证号,金额\r\n"\'=HYPERLINK(""x"")",110***********002X,123.45\r\n');
  });

  it('carries page and time in its name', () => expect(exportName('人员', now, 'CSV')).toBe('人员_20261121_1530.csv'));
});

describe('the filters of an export', () => {
  const described = { describe: (params: unknown) => ((params as { many?: number }).many ? '共多人' : '') };
  it.each([
    [{ many: 2, filterText: '姓名：张' }, '共多人'],
    [{ name: '张', filterText: '姓名：张' }, '姓名：张'],
    [{ name: '张' }, '按条件筛选'],
    [{ page: { pageNo: 2, pageSize: 20 } }, '全部；第2页（每页20条）'],
    [
      { filterText: '手机号：13800138000；身份证号：11010519491231002X；编号：YS20260719000007' },
      '手机号：138****8000；身份证号：110***********002X；编号：YS20260719000007',
    ],
    [{ format: 'CSV', columns: ['name'], plain: true }, '全部'],
  ])('%o are told as %s', (params, text) => expect(filterTextOf(described, params)).toBe(text));
});

describe('the export call of a list', () => {
  const queued: unknown[] = [];
  const kernel: Parameters<typeof exportHandler>[1] = {
    log: { error: () => undefined },
    transactions: { snapshot: (work) => work({} as Db) },
    ports: {
      exportTasks: {
        async request(_writing, task) {
          queued.push(task);
          return { exportTaskId: '1', taskNo: 'DC1', rowsTotal: task.rowsTotal };
        },
      },
    },
  };
  const send = (input: object, may = true) => {
    const ctx = {
      now,
      staff,
      requirePermission: () => {
        if (!may) throw Object.assign(new Error(), { code: 'SCM90010' });
      },
      transaction: (work: (writing: object) => unknown) => work({}),
    } as Partial<ProcedureContext> as ProcedureContext;
    const handler = exportHandler(source, kernel);
    return handler.mode === 'procedure' ? handler.run({ format: 'XLSX', ...input }, ctx) : null;
  };

  it.each([
    [{ many: 0 }, true, 'SCM02020'],
    [{ many: 2_000_001 }, true, 'SCM02021'],
    [{ many: 1, plain: true, plainReason: '对账需要核对' }, false, 'SCM90010'],
    [{ many: 1, plain: true, plainReason: '对账' }, true, 'SCM02026'],
    [{ many: 1, columns: ['name', 'secret'] }, true, 'SCM90020'],
  ])('refuses %o (right: %s) with %s', async (input, may, code) => {
    await expect(send(input, may)).rejects.toMatchObject({ code });
    expect(queued).toEqual([]);
  });

  it('writes one page of the list alone', async () => {
    const file = await send({ many: 2_500, format: 'CSV', columns: ['amount'], page: { pageNo: 3, pageSize: 999 } });
    expect(file).toMatchObject({ rowCount: 502 });
    if (file instanceof FileAnswer && Buffer.isBuffer(file.body)) expect(file.body.toString().trim().split('\r\n')).toHaveLength(503);
    await expect(send({ many: 5, page: { pageNo: 2, pageSize: 10 } })).rejects.toMatchObject({ code: 'SCM02020' });
  });

  it('answers 5,000 rows as a file and makes 5,001 a task', async () => {
    const file = await send({ many: 5_000, columns: ['amount'] });
    expect(file).toBeInstanceOf(FileAnswer);
    expect(file).toMatchObject({ rowCount: 5_000, name: '人员_20261121_1530.xlsx' });
    await expect(send({ many: 5_001, columns: ['amount'] })).resolves.toEqual({ exportTaskId: '1', taskNo: 'DC1', rowsTotal: 5_001 });
    expect(queued).toMatchObject([{ source: 'TestService/exportPeople', columns: ['amount'], plain: false }]);
  });
});
