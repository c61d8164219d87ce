import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjudicateCore } from '../adjudication/adjudicate.ts';
import { benefit as benefitSpec, boxes, claimOf, listed, version } from '../testing/specs.ts';
import type { Benefit, BenefitTier, Plan } from './document.ts';
import { unreachableTiers } from './tierCoverage.ts';
import { withoutSocialClauses } from './words.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const tier = (rateBp: number, more: Partial<BenefitTier> = {}): BenefitTier => ({
  social: 'ANY',
  preExisting: 'ANY',
  monthFrom: 0,
  monthTo: 999,
  fromFen: 0,
  toFen: null,
  rateBp,
  ...more,
});
const anybody = [{ socialRequired: 'ANY' as const }];
const reasons = (
  given: Pick<Benefit, 'socialMode' | 'preExistingMode' | 'tiers'>,
  plans: readonly Pick<Plan, 'socialRequired'>[] = anybody,
) => unreachableTiers(given, plans).map(({ tier: { rateBp }, why }) => [rateBp, why]);

describe('rows of a ladder that nobody ever comes to', () => {
  it.each([
    ['IGNORE', 'COVER', [tier(1, { social: 'SETTLED' }), tier(2)], [[1, '该责任不扣除医保，一律按医保目录外赔付']]],
    ['REQUIRED', 'COVER', [tier(1, { social: 'NOT_SETTLED' }), tier(2)], [[1, '目录内药品须先经医保结算，未结算的不赔']]],
    ['DEDUCT', 'EXCLUDE', [tier(1, { preExisting: 'Y' }), tier(2)], [[1, '该责任不赔既往症']]],
    ['DEDUCT', 'COVER', [tier(1, { monthFrom: 5, monthTo: 4 }), tier(2)], [[1, '起始月晚于截止月']]],
    ['DEDUCT', 'COVER', [tier(1, { fromFen: 5, toFen: 5 }), tier(2)], [[1, '分段起不小于分段止']]],
    ['DEDUCT', 'COVER', [tier(1, { social: 'SETTLED' }), tier(2, { social: 'NOT_SETTLED' }), tier(3, { social: 'OUTSIDE' })], []],
  ] as const)('%s, %s', (socialMode, preExistingMode, tiers, expected) => {
    expect(reasons({ socialMode, preExistingMode, tiers: [...tiers] })).toEqual(expected);
  });

  it('of plans for people without social insurance alone', () => {
    const rates = {
      socialMode: 'DEDUCT' as const,
      preExistingMode: 'COVER' as const,
      tiers: [tier(1, { social: 'SETTLED' }), tier(2, { social: 'OUTSIDE' })],
    };
    expect(reasons(rates, [{ socialRequired: 'NO' }])).toEqual([[1, '各计划只承保无医保人员，一律按医保目录外赔付']]);
    expect(reasons(rates, [{ socialRequired: 'NO' }, { socialRequired: 'ANY' }])).toEqual([]);
  });

  it('change no amount when they are taken away', () => {
    const tiers = fc.array(
      fc.record({
        social: fc.constantFrom('SETTLED' as const, 'NOT_SETTLED' as const, 'OUTSIDE' as const, 'ANY' as const),
        preExisting: fc.constantFrom('Y' as const, 'N' as const, 'ANY' as const),
        monthFrom: fc.integer({ min: 0, max: 9 }),
        monthTo: fc.integer({ min: 0, max: 12 }),
        fromFen: fc.integer({ min: 0, max: 20_000 }),
        toFen: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: null }),
        rateBp: fc.integer({ min: 1, max: 10_000 }),
      }),
      { maxLength: 6 },
    );
    const modes = fc.record({
      socialMode: fc.constantFrom('DEDUCT' as const, 'IGNORE' as const, 'REQUIRED' as const),
      preExistingMode: fc.constantFrom('COVER' as const, 'EXCLUDE' as const),
    });
    const claims = fc.record({
      settled: fc.boolean(),
      hasSocial: fc.boolean(),
      month: fc.integer({ min: 0, max: 15 }),
      since: fc.constantFrom('2025-06-01', '2026-03-01'),
      outside: fc.boolean(),
    });
    fc.assert(
      fc.property(tiers, modes, claims, (all, mode, { settled, hasSocial, month, since, outside }) => {
        const useless = new Set(unreachableTiers({ ...mode, tiers: all }, anybody).map((one) => one.tier));
        const paid = (rows: BenefitTier[]) =>
          adjudicateCore(
            version({
              rows: [listed('A', { socialCategory: outside ? 'OUTSIDE' : 'INSIDE' })],
              benefits: [benefitSpec({ ...mode, tiers: rows })],
            }),
            [],
            claimOf([boxes(1, 'A', 1, 15_000, { socialSettled: settled, monthsSinceFirstDose: month })], {
              cover: { hasSocial },
              claim: { firstDiagnosedOn: since },
            }),
            sha256,
          ).payableFen;
        expect(paid(all.filter((one) => !useless.has(one)))).toBe(paid(all));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a person without social insurance', () => {
  const benefit = (more: Partial<Benefit>): Benefit => ({
    benefitCode: 'OUT',
    benefitName: '院外特药',
    claimTypes: ['REIMBURSE'],
    priority: 1,
    formularyId: null,
    formularyMode: 'PINNED',
    formularyVersionId: null,
    drugScope: [],
    diseasePrefixes: [],
    waitingDays: 0,
    waitingEffect: 'PERIOD',
    preExistingMode: 'COVER',
    socialMode: 'DEDUCT',
    deductibleGroup: null,
    ceilingGroups: [],
    perLineFen: null,
    perItemYearFen: null,
    perClaimFen: null,
    perYearFen: null,
    lifetimeFen: null,
    timesPerYear: null,
    tiers: [tier(8000, { social: 'SETTLED' }), tier(4800, { social: 'NOT_SETTLED' }), tier(4000, { social: 'OUTSIDE' })],
    ...more,
  });
  const plan = (socialRequired: Plan['socialRequired'], overrides: Plan['overrides'] = { groups: {}, benefits: {} }): Plan => ({
    planCode: 'P1',
    planName: '升级版',
    sumInsuredFen: 1,
    ageMin: 0,
    ageMax: 60,
    socialRequired,
    rates: [],
    overrides,
  });
  it.each([
    ['gets what is outside the list', benefit({}), [plan('ANY')], ['无医保的被保人均按医保目录外赔付：赔40%']],
    [
      'gets it of the plan',
      benefit({}),
      [plan('ANY', { groups: {}, benefits: { OUT: { tiers: [tier(6000)] } } })],
      ['无医保的被保人均按医保目录外赔付：赔40%（升级版赔60%）'],
    ],
    [
      'gets the same as others',
      benefit({ socialMode: 'IGNORE' }),
      [plan('ANY')],
      ['该责任不扣除医保，有无医保的被保人均按医保目录外赔付：赔40%'],
    ],
    [
      'gets nothing without a rate',
      benefit({ tiers: [tier(8000, { social: 'SETTLED' })] }),
      [plan('NO')],
      ['无医保的被保人均按医保目录外赔付：不赔'],
    ],
    ['is not insured', benefit({}), [plan('YES')], ['各计划只承保有医保的被保人']],
  ])('%s', (_what, given, plans, clauses) => {
    expect(withoutSocialClauses(given, plans)).toEqual(clauses);
  });
});
