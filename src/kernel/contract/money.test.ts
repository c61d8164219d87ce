import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halfUp, shareOf, spread } from './money.ts';

const sumOf = (parts: readonly bigint[]) => parts.reduce((sum, one) => sum + one, 0n);
const fen = fc.bigInt(-(10n ** 15n), 10n ** 15n);

describe('half up', () => {
  it.each([
    [5n, 2n, 3n],
    [4n, 2n, 2n],
    [-5n, 2n, -2n],
    [-1n, 2n, 0n],
    [-3n, 2n, -1n],
    [99_990_000n, 11_300n, 8849n],
  ])('%d ÷ %d is %d', (a, b, result) => expect(halfUp(a, b)).toBe(result));

  it('is never further away than half', () => {
    fc.assert(
      fc.property(fen, fc.bigInt(1n, 10n ** 9n), (a, b) => {
        const twiceOff = 2n * (halfUp(a, b) * b - a);
        return twiceOff > -b && twiceOff <= b;
      }),
    );
  });
});

describe('a share', () => {
  it.each([
    ['more parts than there are', 2, 2],
    ['parts before the first', -1, 1],
    ['parts taken back', 2, -1],
  ])('refuses %s', (_, before, more) => expect(() => shareOf(100, 3, before, more)).toThrow(RangeError));

  it('is of ten thousand in three 3333, 3333, 3334', () => {
    expect([0, 1, 2].map((before) => shareOf(10_000, 3, before, 1))).toEqual([3333n, 3333n, 3334n]);
    expect([shareOf('10000', 3, 0, 0), shareOf(10_000, 3, 0, 3), shareOf(0, 0, 0, 0)]).toEqual([0n, 10_000n, 0n]);
  });

  it('is the sum with all others, however it is taken part by part', () => {
    const taken = fc
      .array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 })
      .filter((parts) => parts.some((one) => one > 0));
    fc.assert(
      fc.property(fen, taken, (sum, parts) => {
        const all = parts.reduce((whole, one) => whole + one, 0);
        let before = 0;
        const shares = parts.map((more) => {
          const share = shareOf(sum, all, before, more);
          before += more;
          return share;
        });
        expect(sumOf(shares)).toBe(sum);
        for (const share of shares) expect(sum >= 0n ? share >= 0n : share <= 0n).toBe(true);
      }),
    );
  });
});

describe('a sum that is spread', () => {
  it.each<[bigint, bigint[], bigint[]]>([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [100n, [2n, 1n, 4n], [29n, 14n, 57n]],
    [-100n, [1n, 1n, 1n], [-34n, -33n, -33n]],
    [5n, [0n, 7n, 0n], [0n, 5n, 0n]],
    [5n, [0n, 0n], [3n, 2n]],
    [0n, [], []],
  ])('%d over %s is %s', (sum, weights, parts) => expect(spread(sum, weights)).toEqual(parts));

  it('refuses a weight below zero, and a sum for nobody', () => {
    expect(() => spread(1, [2, -1])).toThrow(RangeError);
    expect(() => spread(1, [])).toThrow(RangeError);
  });

  it('is the sum again, each part within a fen of its share, and larger for a larger weight', () => {
    const weights = fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 1, maxLength: 12 }).filter((all) => sumOf(all) > 0n);
    fc.assert(
      fc.property(fen, weights, (sum, all) => {
        const parts = spread(sum, all);
        const whole = sumOf(all);
        expect(sumOf(parts)).toBe(sum);
        parts.forEach((part, at) => {
          const off = part * whole - sum * all[at]!;
          expect(off > -whole && off < whole).toBe(true);
          if (sum >= 0n) parts.forEach((other, to) => expect(all[to]! >= all[at]! || other <= part).toBe(true));
        });
      }),
    );
  });

  it('asks of no part more than it has', () => {
    const payable = fc
      .array(fc.bigInt(0n, 10_000n), { minLength: 1, maxLength: 8 })
      .chain((all) => fc.tuple(fc.constant(all), fc.bigInt(0n, sumOf(all))));
    fc.assert(fc.property(payable, ([all, sum]) => spread(sum, all).every((part, at) => part <= all[at]!)));
  });
});
