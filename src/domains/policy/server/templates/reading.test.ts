import { expect, it } from 'vitest';
import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { doubledAlias, layout, missingTargets, placesOf } from '../../contract/rules/template.ts';
import { certificate } from '../testing/fixtures.ts';
import { listFile, readList } from './readFile.ts';
import { rawOf, readRow } from './readRow.ts';

const column = (target: string, headerAliases: string[], more: object = {}) => ({ target, headerAliases, ...more });
const template = layout.parse({
  sheet: '人员清单',
  headerRow: 2,
  leaveMeans: 'FIRST_UNCOVERED',
  columns: [
    column('name', ['姓名', '被保险人姓名'], { required: true }),
    column('idNo', ['证件号码'], { required: true, transforms: ['TRIM', 'HALF', 'UPPER'] }),
    column('gender', ['性别'], { dict: { 先生: 'M', 女士: 'F' } }),
    column('mobile', ['手机']),
    column('planCode', ['计划']),
    column('effectiveOn', ['生效日'], { format: 'yyyyMMdd' }),
    column('leaveOn', ['退保日']),
  ],
});
const idNo = certificate('1990-05-12', 'M');
const cells = (texts: readonly string[]) => texts.map((text) => ({ text }));

async function sheetOf(rows: readonly (readonly string[])[]) {
  const bytes = await bufferOf(
    xlsxStream([
      { name: '说明', widths: [20], rows: [cells(['请按表填写'])] },
      { name: '人员清单', widths: [20], rows: rows.map(cells) },
      { name: '字典', widths: [20], rows: [cells(['P1'])] },
    ]),
  );
  return listFile(bytes, '清单.xlsx');
}

// policy.md acceptance 2
it('reads the sheet of the template by its headers, with the rows of the sheet, blank ones counted', async () => {
  const person = ['张建国', idNo, '先生', '13900000001', 'P1', '20260411', ''];
  const rows = [
    ['某某公司人员清单'],
    ['被保险人姓名*', '证件号码', '性别', '手机', '计划', '生效日', '退保日', '备注'],
    ...Array.from({ length: 52 }, () => person),
    [],
    ['', ' '],
    ['张3', `${idNo.slice(0, 17)}${idNo[17] === '0' ? '1' : '0'}`, '先生', '139', 'P1', '2026-13-01', '2026-09-16'],
  ];
  const found: { rowNo: number; faults: ReturnType<typeof readRow>['faults']; facts: ReturnType<typeof readRow>['facts'] }[] = [];
  const list = await readList(await sheetOf(rows), template);
  const places = placesOf(template, list?.headers ?? []);
  for await (const row of list?.rows ?? []) found.push({ rowNo: row.rowNo, ...readRow(template, rawOf(places, row.cells), '2026-11-29') });
  expect(places).toMatchObject({ missing: [], unknown: ['备注'] });
  expect(found).toHaveLength(53);
  expect(found[0]).toMatchObject({
    rowNo: 3,
    faults: [],
    facts: { name: '张建国', birthDate: '1990-05-12', gender: 'M', effectiveOn: '2026-04-11' },
  });
  const last = found.at(-1)!;
  expect(last.rowNo).toBe(57);
  expect(last.faults.map(({ code, header }) => [code, header])).toEqual([
    ['E03', '姓名'],
    ['E01', '证件号码'],
    ['E04', '手机'],
    ['E05', '生效日'],
  ]);
  expect(last.faults.at(-1)?.message).toBe('“2026-13-01”不是有效日期，应为yyyyMMdd');
  expect(last.facts.leaveOn).toBe('2026-09-15');
});

it('a template names each field once, and those that are needed', () => {
  const { columns } = template;
  expect(doubledAlias(columns)).toBeNull();
  expect(doubledAlias([...columns, { ...columns[0]!, target: 'department', headerAliases: [' 姓名*'] }])).toBe(' 姓名*');
  expect(missingTargets(columns)).toEqual([]);
  expect(missingTargets([columns[3]!])).toEqual(['姓名', '证件号或工号']);
  expect(placesOf(template, ['证件号码']).missing).toEqual(['姓名']);
});
