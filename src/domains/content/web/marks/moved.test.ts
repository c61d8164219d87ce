import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moved } from './moved.ts';

it('puts what is dropped in the place of what it is dropped on', () => {
  expect(moved(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b'], 'a', 'a')).toBe(null);
  expect(moved(['a', 'b'], null, 'a')).toBe(null);
  expect(moved(['a', 'b'], 'x', 'a')).toBe(null);
});

it('keeps every id exactly once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat().map(String), { minLength: 2 }), fc.nat(), fc.nat(), (ids, from, to) => {
      const id = ids[from % ids.length]!;
      const over = ids[to % ids.length]!;
      const order = moved(ids, id, over);
      if (id === over) expect(order).toBe(null);
      else {
        expect(order?.toSorted()).toEqual(ids.toSorted());
        expect(order?.indexOf(id)).toBe(ids.indexOf(over));
      }
    }),
  );
});
