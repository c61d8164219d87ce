import { describe, expect, it } from 'vitest';
import { goodsDue, lineDue, priced } from './money.ts';

const of = (...amounts: readonly number[]) => amounts.map((unitPriceFen) => ({ quantity: 1, unitPriceFen }));
const discounts = (lines: readonly number[], discountFen: number) =>
  priced(of(...lines), { discountFen, freightFen: 0 }).map((line) => line.discountFen);

describe('the money of an order', () => {
  it('spreads a discount by the largest remainder, the earlier line first among equals', () => {
    expect(discounts([10_000, 20_000, 3333], 1000)).toEqual([300, 600, 100]);
    expect(discounts([100, 100, 100], 100)).toEqual([34, 33, 33]);
    expect(discounts([1, 1], 1)).toEqual([1, 0]);
  });

  it('gives each fen to one line, however many there are', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const lines = Array.from({ length: (seed % 9) + 1 }, (_, at) => ({
        quantity: ((seed * 7 + at) % 5) + 1,
        unitPriceFen: ((seed * 7919 + at * 104_729) % 99_999) + 1,
      }));
      const goods = lines.reduce((sum, { quantity, unitPriceFen }) => sum + quantity * unitPriceFen, 0);
      const discountFen = (seed * 31) % goods;
      const made = priced(lines, { discountFen, freightFen: seed });
      const sum = (pick: (line: (typeof made)[number]) => number) => made.reduce((all, line) => all + pick(line), 0);
      expect(sum((line) => line.discountFen)).toBe(discountFen);
      expect(sum(lineDue)).toBe(goods - discountFen + seed);
      expect(made.every((line) => goodsDue(line) >= 0)).toBe(true);
    }
  });
});
