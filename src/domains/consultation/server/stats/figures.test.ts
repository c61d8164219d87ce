import { describe, expect, it } from 'vitest';
import { mean, median, percentile, shareBp } from './figures.ts';

describe('figures of the reception', () => {
  it.each([
    [[], null],
    [[7], 7],
    [[9, 1, 5], 5],
    [[1, 2], 2],
    [[1, 4], 3],
    [[10, 20, 30, 40], 25],
  ] as const)('the median of %j is %s', (values, expected) => expect(median(values)).toBe(expected));

  it.each([
    [[], null],
    [[7], 7],
    [Array.from({ length: 10 }, (_, index) => 10 - index), 9],
    [Array.from({ length: 11 }, (_, index) => index + 1), 10],
    [[5, 5, 5, 60], 60],
  ] as const)('nine tenths of %j wait no longer than %s', (values, expected) => expect(percentile(values, 9_000)).toBe(expected));

  it('bounds nine tenths from above, and no smaller number does', () => {
    for (let size = 1; size <= 200; size += 1) {
      const values = Array.from({ length: size }, (_, index) => (index * 7919) % 1_009);
      const bound = percentile(values, 9_000)!;
      expect(values.filter((value) => value <= bound).length * 10).toBeGreaterThanOrEqual(size * 9);
      expect(values.filter((value) => value < bound).length * 10).toBeLessThan(size * 9);
    }
  });

  it.each([
    [0, 0, null],
    [0, 3, 0],
    [1, 3, 3_333],
    [2, 3, 6_667],
    [1, 20_000, 1],
    [1, 20_001, 0],
    [3, 3, 10_000],
  ] as const)('%i of %i are %s ten-thousandths', (part, whole, expected) => expect(shareBp(part, whole)).toBe(expected));
  it.each([
    [[], null],
    [[1, 2], 2],
    [[1, 1, 2], 1],
    [[100], 100],
  ] as const)('the mean of %j is %s', (values, expected) => expect(mean(values)).toBe(expected));
});
