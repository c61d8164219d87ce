import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { refundReasons } from '../dictionaries.ts';
import { discountOf } from './discount.ts';
import { refundOf, type RefundFacts } from './refund.ts';

const paid: RefundFacts = {
  billing: 'TIME',
  payFen: 9900,
  refundedFen: 0,
  replied: true,
  usedReplies: 0,
  quotaReplies: null,
  startedOn: '2026-11-01',
  periodDays: null,
  today: '2026-11-11',
};

describe('a refund', () => {
  it.each([
    ['7 of 20 replies', { billing: 'REPLIES', usedReplies: 7, quotaReplies: 20 }, 6435],
    ['11 of 30 days, today included', { billing: 'PERIOD', payFen: 29900, periodDays: 30 }, 18936],
    ['once, after the reply', {}, 0],
    ['once, before the reply', { replied: false }, 9900],
    ['replies, none left', { billing: 'REPLIES', usedReplies: 25, quotaReplies: 20 }, 0],
    ['a part given back before', { billing: 'REPLIES', usedReplies: 7, quotaReplies: 20, refundedFen: 6000 }, 435],
    ['accepted today', { billing: 'PERIOD', payFen: 3000, periodDays: 30, today: '2026-11-01' }, 2900],
  ] as const)('of the patient: %s', (_name, change, amount) => {
    expect(refundOf('PATIENT', { ...paid, ...change }).proposedFen).toBe(amount);
  });

  it('for what the doctor did not do gives all back; a complaint is typed by hand', () => {
    for (const reason of ['NO_ACCEPT', 'NO_REPLY', 'DOCTOR_REFUSE'] as const)
      expect(refundOf(reason, { ...paid, refundedFen: 100 }).proposedFen).toBe(9800);
    expect(refundOf('COMPLAINT', paid)).toMatchObject({ rule: 'HAND', proposedFen: 0, limitFen: 9900 });
  });

  it('never passes what is left, and never grows with use', () => {
    const facts = fc.record({
      billing: fc.constantFrom('TIME' as const, 'REPLIES' as const, 'PERIOD' as const),
      payFen: fc.integer({ min: 0, max: 500_000 }),
      part: fc.integer({ min: 0, max: 100 }),
      replied: fc.boolean(),
      usedReplies: fc.integer({ min: 0, max: 120 }),
      quotaReplies: fc.integer({ min: 1, max: 100 }),
      periodDays: fc.integer({ min: 7, max: 365 }),
      day: fc.integer({ min: 0, max: 400 }),
      reason: fc.constantFrom(...refundReasons.codes),
    });
    fc.assert(
      fc.property(facts, ({ part, day, reason, ...rest }) => {
        const of = (more: number) =>
          refundOf(reason, {
            ...rest,
            refundedFen: Math.floor((rest.payFen * part) / 100),
            startedOn: '2026-01-01',
            today: plusDays('2026-01-01', day + more),
            usedReplies: rest.usedReplies + more,
          });
        const now = of(0);
        const left = rest.payFen - now.refundedFen;
        expect(Number.isInteger(now.proposedFen) && now.proposedFen >= 0 && now.proposedFen <= now.limitFen && now.limitFen <= left).toBe(
          true,
        );
        expect(of(1).proposedFen).toBeLessThanOrEqual(now.proposedFen);
      }),
    );
  });
});

describe('a discount', () => {
  it.each([
    [9900, 1250, 3000, 1237],
    [9900, 1250, 9000, 900],
    [9900, 1250, 9900, 0],
    [9900, 10_000, 0, 9900],
    [5000, 2000, 6000, 0],
  ])('%i fen at %i bp, lowest %i → %i', (price, bp, lowest, discount) => {
    expect(discountOf(price, bp, lowest)).toBe(discount);
  });
  it('never takes the price below the lowest, never above itself', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 500_000 }),
        (price, bp, lowest) => {
          const discount = discountOf(price, bp, lowest);
          expect(discount >= 0 && discount <= price && (discount === 0 || price - discount >= lowest)).toBe(true);
        },
      ),
    );
  });
});
