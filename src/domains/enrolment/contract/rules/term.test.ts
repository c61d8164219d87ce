import { describe, expect, it } from 'vitest';
import { refundOf, type RefundFacts } from './refund.ts';
import { daysOf, feeOf, lastDayOfTerm, termOf } from './term.ts';

describe('R4: term and fee', () => {
  it.each([
    ['2026-09-15', 6, '2027-03-14'],
    ['2026-08-31', 6, '2027-02-28'],
    ['2027-08-31', 6, '2028-02-29'],
    ['2026-01-01', 12, '2026-12-31'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-12-01', 1, '2026-12-31'],
  ])('%s for %i months ends on %s', (start, months, end) => expect(lastDayOfTerm(start, months)).toBe(end));

  it.each([
    [{ signedOn: '2026-11-21', coverageStart: '2026-01-01', coverageEnd: '2026-12-31', termMonths: 12 }, ['2026-11-22', '2026-12-31', 365]],
    [{ signedOn: '2026-11-21', coverageStart: '2026-12-10', coverageEnd: '2027-12-09', termMonths: 6 }, ['2026-12-10', '2027-06-09', 182]],
  ])('begins the day after signing, or with the cover, and ends with the first of term and cover', (facts, [start, end, planDays]) =>
    expect(termOf(facts)).toEqual({ startDate: start, endDate: end, planDays }),
  );
  it('is none where the cover ends on the day of signing', () =>
    expect(termOf({ signedOn: '2026-12-31', coverageStart: '2026-01-01', coverageEnd: '2026-12-31', termMonths: 12 })).toBeNull());

  const cut = { startDate: '2026-11-22', endDate: '2026-12-31', planDays: 365 };
  it.each([
    [36_500n, true, 4_000n],
    [19_900n, true, 2_181n],
    [19_900n, false, 19_900n],
    [0n, true, 0n],
  ])('costs of %s fen, prorated %s: %s', (fee, prorated, due) => expect(feeOf(fee, prorated, cut)).toBe(due));
  it('costs the whole fee for the whole term', () =>
    expect(feeOf(19_900n, true, { startDate: '2026-01-01', endDate: '2026-12-31', planDays: 365 })).toBe(19_900n));
  it('counts both ends', () => expect(daysOf('2026-11-22', '2026-12-31')).toBe(40));
});

describe('R5: refund of a contract that ends', () => {
  const facts: RefundFacts = {
    paidFen: 19_900n,
    refundedFen: 0n,
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    signedOn: '2025-12-20',
    coolingOffDays: 15,
    claimPaidFen: 0n,
  };
  it.each<[string, Partial<RefundFacts>, string, string, string, string]>([
    ['by days', {}, '2026-03-01', '2026-03-01', 'BY_DAYS', '16628'],
    ['the last day', {}, '2026-12-31', '2026-12-31', 'BY_DAYS', '0'],
    ['inside a month', {}, '2026-03-17', '2026-04-02', 'BY_DAYS', '15756'],
    ['before it began', {}, '2025-12-31', '2026-01-10', 'BY_DAYS', '19900'],
    ['within the days of grace', { signedOn: '2025-12-31' }, '2026-01-15', '2026-01-15', 'COOLING_OFF', '19900'],
    ['a day after them', { signedOn: '2025-12-31' }, '2026-01-16', '2026-01-16', 'BY_DAYS', '19027'],
    ['backdated into them', { signedOn: '2025-12-31' }, '2026-01-10', '2026-03-01', 'BY_DAYS', '19354'],
    ['once something was paid out', { claimPaidFen: 1n }, '2026-03-01', '2026-03-01', 'CLAIMED', '0'],
    ['what was refunded before', { refundedFen: 10_000n }, '2026-03-01', '2026-03-01', 'BY_DAYS', '9900'],
    ['over a change of year', { startDate: '2025-07-01', endDate: '2026-06-30' }, '2026-01-10', '2026-01-10', 'BY_DAYS', '9323'],
  ])('%s', (_name, change, terminatedOn, askedOn, rule, refundFen) =>
    expect(refundOf({ ...facts, ...change }, terminatedOn, askedOn)).toMatchObject({ rule, refundFen }),
  );
});
