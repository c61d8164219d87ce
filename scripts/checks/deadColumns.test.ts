import { expect, it } from 'vitest';
import { deadColumns, unnamedIn } from './deadColumns.ts';

it('finds a table and a column that nothing names, in whichever spelling', () => {
  const tables =
    'export interface CardLot {\n  id: string;\n  rowHash: string;\n  heldBy: string;\n}\n\nexport interface CardLook {\n  id: string;\n}\n';
  expect(unnamedIn(tables, new Set(['cardLot', 'id', 'held_by']))).toEqual(['cardLot.rowHash', 'cardLook']);
});

it('every table and column is named by a source of its domain', () => {
  expect(deadColumns()).toEqual([]);
});
