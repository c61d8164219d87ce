import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { DEFAULT_MAX_ROWS, readTable } from '#kernel/server/importing/readTable.ts';
import { parseCell } from '#kernel/server/importing/parseCell.ts';
import { NOTES_SHEET, TEMPLATE_MARK } from '#kernel/server/importing/template.ts';
import { fieldFacts, shapeOf, unwrapped } from '#kernel/contract/field.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// Generated over every table that can be imported.
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const domains = path.join(import.meta.dirname, '../domains');

/** Key and label of every field of a schema, as deep as menus nest. */
function* labelled(schema: z.ZodMiniType, depth = 0): Generator<readonly [key: string, label: string]> {
  if (depth > 8) return;
  const inner = schema instanceof z.ZodMiniArray ? schema.def.element : unwrapped(schema);
  if (inner instanceof z.ZodMiniType) yield* labelled(inner, depth + 1);
  if (!(schema instanceof z.ZodMiniObject)) return;
  for (const [key, field] of Object.entries(shapeOf(schema))) {
    const facts = fieldFacts(field);
    if (facts) yield [key, facts.label];
    yield* labelled(field, depth + 1);
  }
}

/** Labels of a domain's fields by key, in every call of its own. */
function labelsOf(domain: string): ReadonlySet<string> {
  const handlers = app.kernel.registry.modules.find((module) => module.domain === domain)?.handlers ?? [];
  return new Set(
    handlers.flatMap(({ call }) => [...labelled(call.input), ...labelled(call.output)].map(([key, label]) => `${key} ${label}`)),
  );
}

/** A column that says key and label itself. */
const COLUMN = /\{\s*key: '(\w+)',\s*label: (?:'([^']+)'|(\w+\.\w+))/g;

it('takes the label of a column from the field of the call that it fills', () => {
  const repeated = globSync('*/server/**/*.ts', { cwd: domains }).flatMap((file) => {
    const text = readFileSync(path.join(domains, file), 'utf8');
    if (!text.includes('#kernel/server/importing/') || /\.(test|cases)\.ts$/.test(file)) return [];
    const labels = labelsOf(file.split(path.sep)[0]!);
    return [...text.matchAll(COLUMN)].flatMap(([, key = '', label, variable]) =>
      variable !== undefined || labels.has(`${key} ${label}`) ? [`${file} ${key} ${label ?? variable}`] : [],
    );
  });
  expect(repeated).toEqual([]);
});

type Row = readonly string[];
const asText = (rows: readonly Row[]) => Buffer.from(rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n'));
const cells = (row: Row) => row.map((text): XlsxCell => ({ text }));
const asBook = ({ code, templateVersion }: Importer, rows: readonly Row[]) =>
  bufferOf(
    xlsxStream([
      { name: '说明', widths: [], rows: [cells(['请按表填写'])] },
      { name: '我的数据', widths: [], rows: rows.map(cells) },
      { name: NOTES_SHEET, widths: [], rows: [cells([TEMPLATE_MARK, code, '模板版本', templateVersion])] },
    ]),
  );
const bothKinds = async (importer: Importer, rows: readonly Row[]) => [
  await readTable(asText(rows), 'csv', importer),
  await readTable(await asBook(importer, rows), 'xlsx', importer),
];

it('loses no row of any importer: one filled cell makes a row, however many blank ones and titles stand above it', async () => {
  const lost: string[] = [];
  for (const importer of app.kernel.registry.importers) {
    const labels = importer.columns.map(({ label }) => label);
    const filled = labels.map((_label, at) => labels.map((_other, place) => (place === at ? '1' : '')));
    const rows = [['标题'], [], labels, ...filled.flatMap((row) => [row, []]), [...labels.map(() => ''), '列外的内容']];
    const expected = [...filled.map((_row, at) => 4 + at * 2), rows.length];
    for (const read of await bothKinds(
      importer,
      rows.map((row) => [...row]),
    ))
      if (read.map(({ rowNo }) => rowNo).join() !== expected.join())
        lost.push(`${importer.code}: rows ${read.map(({ rowNo }) => rowNo).join()}`);
    // Blank lines are many more than its rows may be.
    const blanks = '\r\n'.repeat((importer.maxRows ?? DEFAULT_MAX_ROWS) + 2_000);
    const far = Buffer.concat([asText([labels]), Buffer.from(blanks), asText([labels.map(() => '1')])]);
    if ((await readTable(far, 'csv', importer)).length !== 1) lost.push(`${importer.code}: what stands below blank rows`);
  }
  expect(lost).toEqual([]);
});

it('tells of every column of every importer what nobody can read any more, by the name of the column', () => {
  const told = app.kernel.registry.importers.flatMap(({ code, columns }) =>
    columns.flatMap((column) =>
      ['1.10105E+17', '#N/A', '####', '#未计算'].flatMap((text) => {
        const read = parseCell(column, text);
        return 'fault' in read && read.fault.startsWith(column.label) ? [] : [`${code}.${column.key} takes ${text}`];
      }),
    ),
  );
  expect(told).toEqual([]);
});

/** Columns of persons' names, by what they are called; of places, products and papers are others. */
const PERSONS = /^(?:姓名|医生姓名|患者姓名|持卡人姓名|联系人|投保人|投保人名称|被保人姓名|代表姓名|成员姓名)$/;
it('keeps names of persons in their one form, whichever table brings them', () => {
  const other = app.kernel.registry.importers.flatMap(({ code, columns }) =>
    columns
      .filter(({ label, type }) => PERSONS.test(label) && type === 'text')
      .flatMap((column) => {
        const read = parseCell(column, '\u200B买买提 ． 艾力\u202C');
        return 'value' in read && read.value === '买买提·艾力' ? [] : [`${code}.${column.key} keeps ${JSON.stringify(read)}`];
      }),
  );
  expect(other).toEqual([]);
});
