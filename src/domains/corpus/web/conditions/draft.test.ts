import { describe, expect, it } from 'vitest';
import { changeRow, newRow, parseDrafts, sameRows, tidyRows, type DraftRow } from './draft.ts';

const row: DraftRow = {
  role: 1,
  variableId: '15',
  variableName: '糖化血红蛋白',
  operatorValue: '>',
  conditionValue: '7',
  checked: 1,
  groupNo: 1,
};

describe('changing a row', () => {
  it.each([
    [{ role: 2 }, { role: 2, variableId: '', variableName: '', operatorValue: '', conditionValue: '' }],
    [
      { variableId: '16', variableName: '空腹血糖' },
      { variableId: '16', operatorValue: '', conditionValue: '' },
    ],
    [{ operatorValue: 'range' }, { operatorValue: 'range', conditionValue: '' }],
    [{ conditionValue: '8' }, { conditionValue: '8', operatorValue: '>' }],
    [{ operatorValue: '>' }, { conditionValue: '7' }],
    [{ checked: 0 }, { checked: 0, conditionValue: '7' }],
  ] as const)('%o', (change, expected) => {
    expect(changeRow(row, change)).toMatchObject(expected);
  });
});

it('rows follow their groups, numbered without gaps', () => {
  const rows = [{ ...row, groupNo: 4 as const }, row, { ...newRow(4) }];
  expect(tidyRows(rows).map(({ groupNo, variableId }) => [groupNo, variableId])).toEqual([
    [1, '15'],
    [2, '15'],
    [2, ''],
  ]);
});

it('equal rows are no edit', () => {
  expect(sameRows([row], [{ ...row }])).toBe(true);
  expect(sameRows([row], [{ ...row, checked: 0 }])).toBe(false);
  expect(sameRows([row], [])).toBe(false);
});

it.each([
  [null, {}],
  ['[', {}],
  ['7', {}],
  ['{"3":{"version":1,"rows":[]},"1":{"rows":7}}', {}],
  ['{"2":{"version":1,"rows":[]}}', { 2: { version: 1, rows: [] } }],
])('storage text %s', (text, expected) => expect(parseDrafts(text)).toEqual(expected));
