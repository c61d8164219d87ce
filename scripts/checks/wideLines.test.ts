import { expect, it } from 'vitest';
import { WIDTH, wideLines } from './wideLines.ts';

const found = (text: string) => wideLines('probe.ts', text).map(({ line, byLiteral }) => [line, byLiteral]);
const long = 'x'.repeat(WIDTH);

it('names lines that are wider than the formatter breaks them', () => {
  expect(found(`const a = 1;\n${'const b = 2;'.padEnd(WIDTH)}\n`)).toEqual([]);
  expect(found(`// ${long}\n/**\n * ${long}\n */\n`)).toEqual([
    [1, false],
    [3, false],
  ]);
});

it('counts characters, not bytes', () => {
  expect(found(`const a = '${'药'.repeat(WIDTH - 13)}';`)).toEqual([]);
});

it('lets one text or regular expression be as wide as it is', () => {
  expect(found(`const a = '${long}';\nconst b = /${long}/;\nconst c = \`${long} \${a}\`;`)).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ]);
  const call = `${'call('.repeat(15)}1${')'.repeat(15)}`;
  expect(found(`const a = \`${'x'.repeat(40)} \${${call}} \${${call}}\`;`)).toEqual([[1, false]]);
  expect(found(`const a = ['${'x'.repeat(80)}', '${'y'.repeat(80)}', ${call}];`)).toEqual([[1, false]]);
});

it('lets no statement be wide', () => {
  const columns = 'a_column, '.repeat(14);
  const statement = `select ${columns}b from a_table`;
  expect(found(`const a = sql\`${statement}\`;\nconst b = sql<Row>\`exists (${statement})\`;`)).toEqual([
    [1, false],
    [2, false],
  ]);
  expect(found(`const a = '${statement}';\nconst b = \`\n  ${statement}\`;`)).toEqual([
    [1, false],
    [3, false],
  ]);
});
