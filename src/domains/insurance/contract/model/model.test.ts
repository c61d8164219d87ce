import { describe, expect, it } from 'vitest';
import { publicationOf } from '../documents/publication.ts';
import { readinessFault } from '../tests/readiness.ts';
import type { BenefitTier, PlanRate } from './document.ts';
import { quoteOf } from './quote.ts';
import { rateFaults } from './rateCoverage.ts';
import { tierFaults } from './tierCoverage.ts';

const tier = (fromFen: number, toFen: number | null, more: Partial<BenefitTier> = {}): BenefitTier => ({
  social: 'ANY',
  preExisting: 'ANY',
  monthFrom: 0,
  monthTo: 999,
  fromFen,
  toFen,
  rateBp: 8_000,
  ...more,
});
const ignoring = (...tiers: BenefitTier[]) => tierFaults({ socialMode: 'IGNORE', preExistingMode: 'EXCLUDE', tiers });

describe('rates of a benefit', () => {
  it('name the amounts that no ladder covers', () => {
    expect(ignoring(tier(0, 2_000_000), tier(3_000_000, null))).toEqual([{ kind: '空档', detail: '20,000.00元至30,000.00元' }]);
    expect(ignoring(tier(0, 2_000_000))).toEqual([{ kind: '空档', detail: '20,000.00元以上' }]);
    expect(ignoring()).toEqual([{ kind: '空档', detail: '0.00元以上' }]);
  });
  it('name what is covered twice, also by a tier for all beside one for some', () => {
    expect(ignoring(tier(0, 3_000_000), tier(2_000_000, null))).toEqual([{ kind: '重叠', detail: '20,000.00元至30,000.00元' }]);
    const both = tierFaults({
      socialMode: 'REQUIRED',
      preExistingMode: 'EXCLUDE',
      tiers: [tier(0, null), tier(0, null, { social: 'OUTSIDE' })],
    });
    expect(both).toEqual([{ kind: '重叠', detail: '医保目录外、0.00元以上' }]);
  });
  it('name the months that are left out', () => {
    expect(ignoring(tier(0, null, { monthTo: 3 }), tier(0, null, { monthFrom: 5 }))).toEqual([
      { kind: '空档', detail: '第4至4月、0.00元以上' },
    ]);
  });
  it('are right where each combination has one ladder', () => {
    expect(ignoring(tier(0, 5_000_000), tier(5_000_000, null, { rateBp: 9_000 }))).toEqual([]);
    const tiers = [tier(0, null, { preExisting: 'N' }), tier(0, null, { preExisting: 'Y', rateBp: 4_000 })];
    expect(tierFaults({ socialMode: 'DEDUCT', preExistingMode: 'COVER', tiers })).toEqual([]);
  });
});

const rate = (ageFrom: number, ageTo: number, more: Partial<PlanRate> = {}): PlanRate => ({
  gender: 'ANY',
  social: 'ANY',
  ageFrom,
  ageTo,
  annualPremiumFen: 36_500,
  ...more,
});
const plan = (...rates: PlanRate[]) => ({ planName: '基础版', ageMin: 0, ageMax: 60, socialRequired: 'YES' as const, rates });

describe('rates of a plan', () => {
  it('cover every age once', () => {
    expect(rateFaults(plan(rate(0, 60)))).toEqual([]);
    expect(rateFaults(plan(rate(0, 40), rate(51, 60)))).toEqual(['男、有医保、41至50岁', '女、有医保、41至50岁']);
    expect(rateFaults(plan(rate(0, 60), rate(60, 60, { gender: 'F' })))).toEqual(['女、有医保、60岁（重复）']);
  });
  it.each([
    ['a whole year', '2026-01-01', '2026-12-31', 36_500],
    ['a day', '2026-01-01', '2026-01-01', 100],
    ['a part of it', '2026-11-22', '2026-12-31', 4_000],
    ['a year with a leap day', '2028-01-01', '2028-12-31', 36_500],
  ])('give the premium of %s', (_name, from, to, amountFen) => {
    const wish = { birthDate: '1990-06-01', gender: 'M' as const, social: 'YES' as const, from, to };
    expect(quoteOf(plan(rate(0, 60)), wish)).toMatchObject({ amountFen });
  });
  it('take nobody who is too old that day, or without the social insurance that is asked for', () => {
    const wish = { gender: 'F' as const, social: 'YES' as const, from: '2026-06-01', to: '2027-05-31' };
    expect(quoteOf(plan(rate(0, 60)), { ...wish, birthDate: '1965-06-01' })).toBeNull();
    expect(quoteOf(plan(rate(0, 60)), { ...wish, birthDate: '1965-06-02' })).not.toBeNull();
    expect(quoteOf(plan(rate(0, 60)), { ...wish, birthDate: '1990-06-02', social: 'NO' })).toBeNull();
  });
});

describe('a publication', () => {
  const today = '2026-11-24';
  const version = (versionNo: number, effectiveFrom: string, effectiveTo: string | null = null) => ({
    id: String(versionNo),
    versionNo,
    effectiveFrom,
    effectiveTo,
    gapNote: '',
  });
  it.each([
    ['before today', version(2, '2026-11-23'), [], { kind: 'TOO_EARLY' }],
    ['of the first version', version(1, today), [], { kind: 'FITS', closes: null }],
    ['ends the open one', version(2, '2027-01-01'), [version(1, '2026-01-01')], { kind: 'FITS', closes: { id: '1', on: '2026-12-31' } }],
    ['over another', version(2, '2026-12-01'), [version(1, '2026-01-01', '2026-12-31')], { kind: 'OVERLAP', versionNo: 1 }],
    ['before a later open one', version(3, '2027-01-01'), [version(2, '2027-06-01')], { kind: 'OVERLAP', versionNo: 2 }],
    [
      'after a gap',
      version(2, '2027-02-01'),
      [version(1, '2026-01-01', '2026-12-31')],
      { kind: 'GAP', from: '2027-01-01', to: '2027-01-31' },
    ],
    [
      'after a gap that is explained',
      { ...version(2, '2027-02-01'), gapNote: '换代停售' },
      [version(1, '2026-01-01', '2026-12-31')],
      { kind: 'FITS', closes: null },
    ],
  ])('%s', (_name, candidate, published, outcome) => {
    expect(publicationOf(candidate, published, today)).toEqual(outcome);
  });
});

describe('test cases', () => {
  const passed = {
    active: true,
    lastResult: 'PASS' as const,
    lastContentHash: 'h',
    paidBenefits: ['OUT_DRUG'],
    heldRules: ['R1'],
  };
  const content = { benefits: ['OUT_DRUG'], rules: ['R1'], contentHash: 'h' };
  it('suffice when three pass on this very content and try everything', () => {
    expect(readinessFault([passed, passed, passed], content)).toBeNull();
  });
  it('say what is missing', () => {
    expect(readinessFault([passed, passed], content)).toContain('当前2个');
    expect(readinessFault([passed, passed, { ...passed, active: false }], content)).toContain('当前2个');
    expect(readinessFault([passed, passed, { ...passed, lastContentHash: 'old' }], content)).toContain('1个用例未在当前内容上运行');
    expect(readinessFault([passed, passed, { ...passed, lastResult: 'FAIL' }], content)).toContain('1个用例不通过');
    expect(readinessFault([passed, passed, passed], { ...content, benefits: ['IN_DRUG'], rules: ['R2'] })).toBe(
      '责任IN_DRUG没有赔付的用例；规则R2没有命中的用例',
    );
  });
});
