import fc from 'fast-check';
import { expect, test } from 'vitest';
import { param, parseSearch, readParams, stringifySearch, writeParams } from './address.ts';

const schema = { id: param.text(), state: param.several(), page: param.count(1), tab: param.oneOf(['mine', 'all']), only: param.flag() };

test('wrong values of an address fall back, and ids stay texts', () => {
  const params = readParams(schema, parseSearch('?id=0012345678901234567890&page=-3&tab=x&only=1&state=A'));
  expect(params).toEqual({ id: '0012345678901234567890', state: ['A'], page: 1, tab: 'mine', only: false });
});

test('what equals its default stands not in the address; other parameters stay', () => {
  const search = writeParams(schema, { view: 'x', page: '4' }, { page: 1, state: ['A', 'B'], tab: 'all', only: true });
  expect(stringifySearch(search)).toBe('?only=true&state=A&state=B&tab=all&view=x');
});

test('any parameters survive the way through the address', () => {
  const values = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,8}$/),
    fc.oneof(fc.string({ minLength: 1 }), fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 4 })),
  );
  fc.assert(
    fc.property(values, (search) => {
      expect(parseSearch(stringifySearch(search))).toEqual({ ...search });
    }),
  );
});
