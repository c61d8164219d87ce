import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOfKey, shortcutFor } from '../keyboard/keys.ts';
import { fileNameOf } from '../http/download.ts';
import { parseConfig, prefixOf } from '../config.ts';
import { newestFirst } from '../detail/AuditTimeline.tsx';
import { showTotal } from './DataTable.tsx';
import { actionsOf, arrange, rowActionsWidth, stateColumnsOf, vitalColumnsOf, type Column } from './columns.ts';
import { fitOf, textWidth } from './columnWidths.ts';
import { columnRange, fitted, rowRange } from './gridLayout.ts';
import { Selection } from './selection.ts';

const columns = [
  { key: 'no', title: '编号', required: true },
  { key: 'name', title: '姓名' },
  { key: 'note', title: '备注', hidden: true },
  { key: 'at', title: '时间', kind: 'time' as const },
];

test('the operator’s order, choice and widths count; a required column stays, a new one keeps its place', () => {
  const setting = { order: ['at', 'name', 'gone'], hidden: ['no', 'name'], shown: ['note'], widths: { at: 99 } };
  expect(arrange(columns, setting).map(({ column, shown, width }) => [column.key, shown, width])).toEqual([
    ['no', true, 140],
    ['at', true, 99],
    ['name', false, 140],
    ['note', true, 140],
  ]);
});

test('pinned columns stand first in the operator’s order, and their states no longer beside the actions', () => {
  const pinned = (setting: Parameters<typeof arrange>[1]) => arrange(columns, setting).map((one) => [one.column.key, one.pinned]);
  const others = [
    ['no', false],
    ['name', false],
  ];
  expect(pinned({ pinned: ['at', 'note', 'gone'] })).toEqual([['note', true], ['at', true], ...others]);
  expect(pinned({ pinned: ['at', 'note'], order: ['no', 'at', 'note'] })).toEqual([['at', true], ['note', true], ...others]);
});

test('the action column is as wide as its longest row, and gives its acts to 更多 before it takes more than its part', () => {
  const rows = [['编辑'], ['编辑', '分配角色', '重置密码', '停用', '日志']];
  expect(actionsOf([['编辑']], 300)).toEqual({ shown: 3, width: 48 });
  expect(actionsOf(rows, 300)).toEqual({ shown: 3, width: 26 + 52 + 52 + 26 + 3 * 12 + 22 });
  expect(actionsOf(rows, 180)).toEqual({ shown: 2, width: 26 + 52 + 26 + 2 * 12 + 22 });
  expect(actionsOf(rows, 60)).toEqual({ shown: 0, width: 48 });
  expect(actionsOf([], 300).width).toBe(48);
});

test('a row with four actions shows them all, one with more the first three', () => {
  expect(rowActionsWidth([])).toBe(0);
  expect(rowActionsWidth(['查看二维码', '失败明细', '重试', '整批作废'])).toBe(15 * 13 + 3 * 12 + 22);
  expect(rowActionsWidth(['下载', '查看二维码', '失败明细', '重试', '整批作废'])).toBe(11 * 13 + 26 + 3 * 12 + 22);
});

test('a count is shown when it is known, and exactly to 10,000', () => {
  expect([showTotal(undefined), showTotal(0), showTotal(10_000), showTotal(10_001)]).toEqual([
    '',
    '共 0 条',
    '共 10,000 条',
    '共 10,000+ 条',
  ]);
});

test('a timeline begins with what happened last, however its rows come', () => {
  const entry = (id: string, at: string) => ({
    id,
    at,
    displayName: '张三',
    action: 'save',
    label: '保存',
    fromState: null,
    toState: null,
    opinion: null,
    diff: [],
    opNo: null,
  });
  const rows = [entry('9', '2026-11-20T01:00:00.000Z'), entry('10', '2026-11-20T01:00:00.000Z'), entry('11', '2026-11-21T01:00:00.000Z')];
  for (const given of [rows, rows.toReversed()]) expect(newestFirst(given).map(({ id }) => id)).toEqual(['11', '10', '9']);
});

test('only rows and columns near the view are drawn', () => {
  expect(rowRange(10_000, 3500, 700)).toEqual({ from: 94, to: 126 });
  expect(rowRange(3, 0, 700)).toEqual({ from: 0, to: 3 });
  expect(
    columnRange(
      Array.from({ length: 30 }, () => 100),
      1000,
      500,
    ),
  ).toEqual({ from: 8, to: 18 });
  expect(columnRange([100, 100], 0, 800)).toEqual({ from: 0, to: 2 });
});

test('columns fill the room without a gap; those that give way do so before one is pushed out of sight', () => {
  const rigid = (...widths: number[]) => widths.map((width) => ({ width, least: width }));
  const sum = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0);
  expect(sum(fitted(rigid(100, 200, 33), 1000))).toBe(1000);
  expect(fitted([...rigid(100), { width: 200, least: 90 }], 250)).toEqual([100, 150]);
  expect(fitted([...rigid(100), { width: 200, least: 90 }, ...rigid(80)], 280)).toEqual([100, 100, 80]);
  expect(fitted(rigid(100, 200), 249)).toEqual([249, 200]);
  expect(fitted(rigid(300), 200)).toEqual([300]);
  expect(fitted([{ width: 100, least: 100, kept: true }, ...rigid(200)], 340)).toEqual([100, 240]);
  const column = fc.record({ least: fc.integer({ min: 60, max: 300 }), more: fc.integer({ min: 0, max: 200 }) });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 20 }), fc.integer({ min: 400, max: 2000 }), (given, room) => {
      const columns = given.map(({ least, more }) => ({ least, width: least + more }));
      const ends: number[] = [];
      for (const width of fitted(columns, room)) ends.push((ends.at(-1) ?? 0) + width);
      expect(ends).toContain(room);
      fitted(columns, room).forEach((width, at) => expect(width).toBeGreaterThanOrEqual(columns[at]!.least));
    }),
  );
});

test('numbers, days and identifiers are as wide as their text, names give way, and the operator’s own width counts', () => {
  const fit = (column: Column<{ v: unknown }>, values: readonly unknown[], own?: number) =>
    fitOf(column, { rows: values.map((v) => ({ v })), wish: 140, own, sorts: false });
  const no = fit({ key: 'v', title: '批次号' }, ['BN20261129000001', 'BN20261129000002']);
  expect(no.least).toBe(no.width);
  expect(no.least).toBeGreaterThan(textWidth('BN20261129000001'));
  expect(fit({ key: 'v', title: '名称' }, ['康宁一号团体补充医疗保险（含特药责任）']).least).toBeLessThan(140);
  const span = fit({ key: 'v', title: '有效期' }, ['2026-09-22 至 2027-09-17', '2026-01-01 至 长期']);
  expect(span.least).toBeGreaterThan(textWidth('2026-09-22 至 2027-09-17'));
  const drawn = fit({ key: 'v', title: '有效期', kind: 'custom', render: () => null, value: ({ v }) => v }, ['2026-09-22 至 2027-09-17']);
  expect(drawn.least).toBe(span.least);
  expect(fit({ key: 'v', title: '金额', kind: 'money' }, [123_456_789]).least).toBeGreaterThan(textWidth('1,234,567.89'));
  expect(fit({ key: 'v', title: '名称' }, ['甲'], 260)).toEqual({ width: 260, least: 260, kept: true });
});

test('number and name come first, then amounts and ends, then what describes; these are vital', () => {
  const listed: Column<object>[] = [
    { key: 'no', title: '编号' },
    { key: 'name', title: '名称' },
    { key: 'note', title: '说明' },
    { key: 'sum', title: '金额', kind: 'money' },
    { key: 'state', title: '状态' },
    { key: 'by', title: '创建人' },
    { key: 'end', title: '到期日', kind: 'day' },
  ];
  expect(arrange(listed, {}).map(({ column }) => column.key)).toEqual(['no', 'name', 'sum', 'end', 'note', 'by', 'state']);
  expect(vitalColumnsOf(listed).map(({ key }) => key)).toEqual(['no', 'sum', 'state', 'end']);
});

test('states stand last, beside the actions, unless the operator has put them elsewhere', () => {
  const listed = [
    { key: 'no', title: '编号' },
    { key: 'live', title: '账号状态' },
    { key: 'state', title: '状态' },
    { key: 'at', title: '时间' },
  ];
  const keys = (setting: Parameters<typeof arrange>[1]) => arrange(listed, setting).map(({ column }) => column.key);
  expect(keys({})).toEqual(['no', 'at', 'live', 'state']);
  expect(keys({ order: ['state', 'no', 'live', 'at'] })).toEqual(['state', 'no', 'live', 'at']);
  expect(stateColumnsOf(listed.slice(0, 2)).map(({ key }) => key)).toEqual(['live']);
  expect(stateColumnsOf(listed.slice(0, 1))).toEqual([]);
  expect(stateColumnsOf([...listed, { key: 'third', title: '认证状态' }]).map(({ key }) => key)).toEqual(['third', 'state']);
});

test('a selection keeps rows of other pages until it is cleared', () => {
  const selection = new Selection<{ id: string }>();
  selection.set([['1', { id: '1' }]], true);
  selection.set(
    [
      ['2', { id: '2' }],
      ['3', { id: '3' }],
    ],
    true,
  );
  selection.set([['2', { id: '2' }]], false);
  expect([...selection.snapshot().keys()]).toEqual(['1', '3']);
});

test('the innermost scope hears a key first, and an open dialog keeps it from the page', () => {
  const act = () => {};
  const shell = {
    id: 1,
    exclusive: false,
    shortcuts: [
      { keys: 'Ctrl+K', label: '', act, inFields: true },
      { keys: '?', label: '', act },
    ],
  };
  const page = { id: 2, exclusive: false, shortcuts: [{ keys: 'J', label: '下一条', act }] };
  expect(shortcutFor([shell, page], 'J', false)?.label).toBe('下一条');
  expect(shortcutFor([shell, page], 'J', true)).toBeUndefined();
  expect(shortcutFor([shell, page], 'Ctrl+K', true)).toBeDefined();
  expect(shortcutFor([shell, page, { id: 3, exclusive: true, shortcuts: [] }], 'J', false)).toBeUndefined();
  const press = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  expect(nameOfKey({ ...press, key: 'k', ctrlKey: true })).toBe('Ctrl+K');
  expect(nameOfKey({ ...press, key: '?', shiftKey: true })).toBe('?');
  expect(nameOfKey({ ...press, key: 'Enter', shiftKey: true })).toBe('Shift+Enter');
  expect(nameOfKey({ ...press, key: 'ü', code: 'KeyU', altKey: true })).toBe('Alt+U');
  expect(nameOfKey({ ...press, key: 'K', code: 'KeyK', altKey: true, shiftKey: true })).toBe('Alt+Shift+K');
});

test('a download takes the name that the server gives', () => {
  expect(fileNameOf("attachment; filename=x.xlsx; filename*=UTF-8''%E7%94%A8%E6%88%B7.xlsx", 'y')).toBe('用户.xlsx');
  expect(fileNameOf('attachment; filename="a.csv"', 'y')).toBe('a.csv');
  expect(fileNameOf("attachment; filename*=UTF-8''%E7", '导出')).toBe('导出');
  expect(fileNameOf(null, '导出')).toBe('导出');
});

test('prefixes come from the page; the product segment is another one on its deployment domain', () => {
  const config = parseConfig('{"prefixes":{"gateway":"/gw/"},"productRewrite":{"host":"b.example","segment":"product-b"}}');
  expect(prefixOf('gateway', config, 'a.example')).toBe('/gw');
  expect(prefixOf('admin', config, 'a.example')).toBe('/admin');
  expect(prefixOf('product', config, 'a.example')).toBe('/product');
  expect(prefixOf('product', config, 'b.example')).toBe('/product-b');
  expect(parseConfig('broken').buildId).toBe('');
});
