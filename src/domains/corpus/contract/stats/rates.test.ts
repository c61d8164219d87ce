import { expect, it } from 'vitest';
import { rateOf } from './rates.ts';

it.each([
  [37, 412, 898],
  [0, 5, 0],
  [5, 5, 10_000],
  [1, 20_000, 1],
  [1, 20_001, 0],
  [0, 0, null],
])('%s of %s are %s hundredths of a percent', (part, whole, bp) => {
  expect(rateOf(part, whole)).toBe(bp);
});
