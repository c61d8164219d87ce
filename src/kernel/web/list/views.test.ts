import { expect, test } from 'vitest';
import { sameValues, withView } from './useViews.ts';

test('a view is kept under its name once, with its arrangement, and twenty at most', () => {
  const one = { name: '待审核', values: { state: 'WAIT' } };
  const again = { ...one, values: { state: ['WAIT', 'DONE'] }, table: { pinned: ['no'] } };
  expect(withView([one, { name: '别的', values: {} }], again)).toEqual([{ name: '别的', values: {} }, again]);
  const many = Array.from({ length: 20 }, (_one, at) => ({ name: `视图${at}`, values: {} }));
  expect(withView(many, one).map(({ name }) => name)).toEqual([...many.slice(1).map(({ name }) => name), '待审核']);
});

test('a view is changed by another value or order, not by the order in which the address names them', () => {
  const values = { state: ['A', 'B'], orderBy: 'at desc', name: '王' };
  expect(sameValues(values, { name: '王', orderBy: 'at desc', state: ['A', 'B'] })).toBe(true);
  expect(sameValues(values, { ...values, orderBy: 'at asc' })).toBe(false);
  expect(sameValues(values, { name: '王', state: ['A', 'B'] })).toBe(false);
});
