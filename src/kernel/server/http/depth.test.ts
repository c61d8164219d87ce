import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTooDeep, MOST_LEVELS, MOST_VALUES, overgrown } from './depth.ts';

const nestsTooDeep = (json: Buffer) => overgrown(json) === 'DEEP';

const nested = (levels: number, kind: 'list' | 'object' = 'list'): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => (kind === 'list' ? [inner] : { a: inner }), 1);
/** Written without recursion, so that it can be as deep as an attacker's. */
const text = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

it.each([
  [0, false],
  [1, false],
  [MOST_LEVELS, false],
  [MOST_LEVELS + 1, true],
  [1_000_000, true],
])('%i levels: %s', (levels, deep) => {
  expect(nestsTooDeep(Buffer.from(text(levels)))).toBe(deep);
  expect(isTooDeep(levels > 5_000 ? nested(5_000) : nested(levels))).toBe(deep);
  expect(isTooDeep(nested(Math.min(levels, 5_000), 'object'))).toBe(deep);
});

it('counts no brackets of texts, whatever they hold', () => {
  expect(nestsTooDeep(Buffer.from(JSON.stringify({ text: '[{'.repeat(500), quoted: `\\"${'['.repeat(60)}` })))).toBe(false);
  expect(nestsTooDeep(Buffer.from(JSON.stringify(['"\\', nested(MOST_LEVELS)])))).toBe(true);
});

it('agrees with what was parsed, for any nesting', () => {
  const levels = fc.array(fc.tuple(fc.constantFrom('list', 'object'), fc.string()), { minLength: 40, maxLength: 60 });
  fc.assert(
    fc.property(levels, (all) => {
      const value = all.reduce<unknown>((inner, [kind, beside]) => (kind === 'list' ? [beside, inner] : { [beside]: 1, inner }), '[{');
      expect(isTooDeep(value)).toBe(all.length > MOST_LEVELS);
      expect(nestsTooDeep(Buffer.from(JSON.stringify(value)))).toBe(all.length > MOST_LEVELS);
    }),
  );
  for (const broken of ['"', '"\\', '[[', ']]]]', '']) expect(nestsTooDeep(Buffer.from(broken))).toBe(false);
});

it('counts the values of lists and objects, none within texts', () => {
  const list = (values: number) => Buffer.from(JSON.stringify(Array.from({ length: values }, () => ',,')));
  expect(overgrown(list(MOST_VALUES))).toBeNull();
  expect(overgrown(list(MOST_VALUES + 1))).toBe('MANY');
  const keys = Object.fromEntries(Array.from({ length: MOST_VALUES + 1 }, (_, at) => [`k${at}`, 1]));
  expect(overgrown(Buffer.from(JSON.stringify({ inside: keys })))).toBe('MANY');
});
