import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { couponDeduction } from './coupons.ts';
import { feeOf, reversalFeeOf } from './fees.ts';
import { fillLines, giveBack, takeOf, type SpendableLot } from './lots.ts';
import { sumOf } from './rounding.ts';
import { batchTotal, billSums, netOf, type SummedLine } from './settlement.ts';
import { brokenLimit, byStacking, clashOf, coversLine, coversOrder, mostUsable } from './usage.ts';

const NOW = '2026-06-01T00:00:00.000Z';
const lot = (lotId: string, kind: SpendableLot['kind'], free: bigint, expiresAt: string | null): SpendableLot => ({
  lotId,
  kind,
  free,
  expiresAt,
});
const R1 = [
  lot('1', 'PRINCIPAL', 10_000n, '2026-12-31T16:00:00.000Z'),
  lot('2', 'BONUS', 3000n, '2026-06-30T16:00:00.000Z'),
  lot('3', 'PRINCIPAL', 5000n, null),
];
const ids = (taken: readonly { lot: SpendableLot; amount: bigint }[]) => taken.map(({ lot: { lotId }, amount }) => [lotId, amount]);

describe('lots', () => {
  it('what ends first is used first, then what was given, then the older; reversals go back the other way', () => {
    const { taken, missing } = takeOf(R1, 12_000n, NOW);
    expect([ids(taken), missing]).toEqual([
      [
        ['2', 3000n],
        ['1', 9000n],
      ],
      0n,
    ]);
    expect(ids(giveBack(taken, 0n, 5000n))).toEqual([['1', 5000n]]);
    expect(ids(giveBack(taken, 5000n, 7000n))).toEqual([
      ['1', 4000n],
      ['2', 3000n],
    ]);
    expect(ids(takeOf([lot('9', 'PRINCIPAL', 5n, NOW), lot('8', 'BONUS', 5n, NOW)], 3n, NOW).taken)).toEqual([]);
    const together = [lot('4', 'PRINCIPAL', 5n, null), lot('6', 'BONUS', 5n, null), lot('5', 'BONUS', 5n, null)];
    expect(ids(takeOf(together, 12n, NOW).taken)).toEqual([
      ['5', 5n],
      ['6', 5n],
      ['4', 2n],
    ]);
  });

  it('give what is asked or say what is missing; parts of lines and of reversals add up', () => {
    const parts = fc.array(fc.record({ amount: fc.bigInt(1n, 500n) }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        parts,
        fc.array(fc.bigInt(0n, 400n), { maxLength: 8 }),
        fc.array(fc.bigInt(1n, 300n), { maxLength: 8 }),
        (used, lines, backs) => {
          const total = sumOf(used, ({ amount }) => amount);
          const filled = fillLines(used, lines);
          const asked = sumOf(lines, (one) => one);
          expect(sumOf(filled.flat(), ({ amount }) => amount)).toBe(asked < total ? asked : total);
          let before = 0n;
          for (const amount of backs) {
            const wanted = before + amount > total ? total - before : amount;
            expect(sumOf(giveBack(used, before, wanted), (one) => one.amount)).toBe(wanted);
            before += wanted;
          }
        },
      ),
    );
  });
});

describe('fees', () => {
  it('round half up, and a full reversal gives back exactly the fee, however it is cut', () => {
    expect([feeOf(12_345n, 150), feeOf(50_000n, 150), feeOf(100n, 50), feeOf(99n, 50)]).toEqual([185n, 750n, 1n, 0n]);
    expect(reversalFeeOf({ amount: 50_000n, fee: 750n }, { amount: 0n, fee: 0n }, 5000n)).toBe(75n);
    fc.assert(
      fc.property(fc.bigInt(1n, 100_000n), fc.nat(2000), fc.array(fc.bigInt(1n, 30_000n), { maxLength: 10 }), (amount, bp, cuts) => {
        const line = { amount, fee: feeOf(amount, bp) };
        let back = { amount: 0n, fee: 0n };
        for (const cut of [...cuts, amount]) {
          const part = back.amount + cut > amount ? amount - back.amount : cut;
          const fee = reversalFeeOf(line, back, part);
          expect(fee).toBeGreaterThanOrEqual(0n);
          back = { amount: back.amount + part, fee: back.fee + fee };
        }
        expect(back).toEqual(line);
      }),
    );
  });
});

describe('coupons', () => {
  it.each([
    ['FULL_CUT', 10_000n, 2000n, null, 9999n, null],
    ['FULL_CUT', 10_000n, 2000n, null, 10_000n, 2000n],
    ['CASH', 0n, 2000n, null, 1500n, 1500n],
    ['DISCOUNT', 0n, 8500n, null, 33_333n, 5000n],
    ['DISCOUNT', 0n, 8500n, 4000n, 33_333n, 4000n],
    ['EXCHANGE', 0n, 3000n, null, 5000n, 3000n],
    ['CASH', 0n, 2000n, null, 0n, null],
  ] as const)('%s from %s with %s and cap %s on %s takes %s', (mode, threshold, value, cap, eligible, expected) => {
    expect(couponDeduction({ mode, threshold, value, cap }, eligible)).toBe(expected);
  });
});

describe('use', () => {
  it('a scope names orders, stores, medicines and categories; an excluded medicine is never paid', () => {
    const line = (medicineId: string | null, categoryCode: string | null) => ({ medicineId, categoryCode, amount: 1n });
    expect(coversLine({}, line(null, null))).toBe(true);
    expect(coversLine({ medicineIds: [] }, line('7', null))).toBe(true);
    expect(coversLine({ excludeMedicineIds: ['7'], medicineIds: ['7'] }, line('7', null))).toBe(false);
    expect(coversLine({ medicineIds: ['7'], categoryCodes: ['A10'] }, line('8', 'A10.B'))).toBe(true);
    expect(coversLine({ categoryCodes: ['A1'] }, line('8', 'A10'))).toBe(false);
    expect(coversOrder({ orderTypes: ['STORE_DIRECT'] }, { orderType: 'B2C', drugstoreId: null })).toBe(false);
    expect(coversOrder({ drugstoreIds: ['3'] }, { orderType: 'B2C', drugstoreId: '3' })).toBe(true);
    expect(coversOrder({ drugstoreIds: ['3'] }, { orderType: 'B2C', drugstoreId: null })).toBe(false);
  });

  it('coupon, benefit, stored value; one of a group; what stands alone stands alone', () => {
    const kinds = [{ kind: 'STORED_VALUE' }, { kind: 'COUPON' }, { kind: 'BENEFIT_CARD' }] as const;
    expect(kinds.toSorted(byStacking).map(({ kind }) => kind)).toEqual(['COUPON', 'BENEFIT_CARD', 'STORED_VALUE']);
    const card = (cardId: string, stackGroup: string, stackable = true) => ({ cardId, stackGroup, stackable });
    expect(clashOf(card('1', 'A'), [card('2', 'A')])?.cardId).toBe('2');
    expect(clashOf(card('1', 'A'), [card('2', 'B')])).toBeNull();
    expect(clashOf(card('1', ''), [card('2', '')])).toBeNull();
    expect(clashOf(card('1', 'A', false), [card('2', 'B')])?.cardId).toBe('2');
    expect(clashOf(card('1', 'A', false), [card('1', 'A', false)])).toBeNull();
  });

  it('limits of a use and of a day', () => {
    const limits = { perUseMin: 100n, perUseMax: 5000n, perDayMax: 8000n };
    expect(brokenLimit(limits, 0n, 99n)).toEqual({ limit: 'perUseMin', fen: 100n });
    expect(brokenLimit(limits, 0n, 5001n)).toEqual({ limit: 'perUseMax', fen: 5000n });
    expect(brokenLimit(limits, 4000n, 4001n)).toEqual({ limit: 'perDayMax', fen: 8000n });
    expect(brokenLimit(limits, 4000n, 4000n)).toBeNull();
    expect([mostUsable(limits, 4000n, 9000n), mostUsable(limits, 9000n, 100n), mostUsable(limits, 0n, 9000n)]).toEqual([4000n, 0n, 5000n]);
  });
});

describe('settlement', () => {
  it('adds up the example to the fen', () => {
    const lines: SummedLine[] = [
      { sourceType: 'WRITE_OFF', amount: 12_345n, fee: 185n },
      { sourceType: 'WRITE_OFF', amount: 50_000n, fee: 750n },
      { sourceType: 'REVERSAL', amount: -5000n, fee: -75n },
    ];
    expect(billSums(lines)).toEqual({ gross: 62_345n, reversal: 5000n, fee: 860n, adjust: 0n, net: 56_485n });
    expect(batchTotal(500, 90_000n, 10_000n)).toBe(50_000_000n);
  });

  it('a bill is the sum of its lines, adjusted or not', () => {
    const line = fc.record({
      sourceType: fc.constantFrom('WRITE_OFF', 'REVERSAL', 'GRANT', 'ADJUST'),
      amount: fc.bigInt(-10_000n, 10_000n),
      fee: fc.bigInt(-100n, 100n),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        expect(billSums(lines).net).toBe(sumOf(lines, netOf));
      }),
    );
  });
});
