import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { dictionary } from '../../contract/dictionary.ts';
import { field } from '../../contract/field.ts';
import { fen, flag, instantOut, several, text } from '../../contract/fields.ts';
import { factsIn } from '../detail/factsIn.tsx';
import { columnsOf } from './columnsOf.ts';
import { filtersOf } from './filtersOf.ts';

const states = dictionary('test.state', { ON: '在用', OFF: '停用' });
const row = z.strictObject({
  no: field('编号', z.string(), { width: 160 }),
  state: field('状态', states.schema),
  at: field('时间', instantOut),
  amount: field('金额', fen),
  bare: z.string(),
});
type Row = z.output<typeof row>;
const one: Row = { no: 'A1', state: 'ON', at: '2026-11-28T00:00:00.000Z', amount: 120, bare: '' };

test('a column is what the contract says of its field, and what the page says besides', () => {
  expect(columnsOf<Row>(row, ['no', 'at', { key: 'state', plain: true, width: 80 }])).toMatchObject([
    { key: 'no', title: '编号', width: 160 },
    { key: 'at', title: '时间', kind: 'time' },
    { key: 'state', title: '状态', kind: 'dict', width: 80, plain: true },
  ]);
  expect(() => columnsOf<Row>(row, ['bare'])).toThrow('The contract labels no field bare');
});

test('words of the page are text, unless it says their kind; a link may have words of its own', () => {
  const [state, amount, link] = columnsOf<Row>(row, [
    { key: 'state', value: ({ state }) => `${state}!` },
    { key: 'amount', kind: 'number', value: ({ amount }) => amount * 2 },
    { key: 'no', value: ({ no }) => `第${no}号`, to: () => null },
  ]);
  expect(state).not.toHaveProperty('kind');
  expect(state).not.toHaveProperty('dictionary');
  expect(state!.value!(one)).toBe('ON!');
  expect(amount).toMatchObject({ title: '金额', kind: 'number' });
  expect(link).toMatchObject({ title: '编号', kind: 'link', width: 160 });
  expect(link!.value!(one)).toBe('第A1号');
});

test('a search field has the label of its field, of one of several values too', () => {
  const input = z.strictObject({
    name: z.optional(text('名称', 40)),
    states: z.optional(several(field('状态', states.schema))),
    overdue: field('逾期', z.optional(flag)),
    bare: z.optional(z.string()),
  });
  type Input = z.input<typeof input>;
  expect(filtersOf<Input>(input, ['name', 'states', { kind: 'region', name: 'name' }, { name: 'overdue', label: '已逾期' }])).toMatchObject(
    [
      { kind: 'text', name: 'name', label: '名称', maxLength: 40 },
      { kind: 'dict', name: 'states', label: '状态', several: true },
      { kind: 'region', name: 'name', label: '名称' },
      { kind: 'flag', name: 'overdue', label: '已逾期' },
    ],
  );
  expect(() => filtersOf<Input>(input, [{ kind: 'region', name: 'bare' }])).toThrow('The call labels no filter bare');
});

test('a fact has the label of its field, also with a value of the page’s own', () => {
  const [no, own] = factsIn<Row>(row, one, ['no', { key: 'state', value: '在用至今', wide: true }]);
  expect(no).toMatchObject({ label: '编号', wide: false });
  expect(own).toEqual({ label: '状态', value: '在用至今', wide: true });
});
