import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import {
  addCover,
  changePlan,
  continuousFrom,
  coveredRun,
  coverOn,
  extendCover,
  insuredStateOn,
  liveAt,
  overlapping,
  removeCover,
  suspensionsOf,
  type CoverChange,
  type KeptSlice,
  type Slice,
} from './cover.ts';
import { normalPolicyNo } from './policyNo.ts';
import { chargeOf, instalmentOf, lineOf, periodsOf, plusMonths, type PremiumTerms } from './premium.ts';

const year = (prorate: 'DAY' | 'MONTH', refundFeeBp = 0): PremiumTerms => ({
  coverageStart: '2026-01-01',
  termDays: 365,
  prorate,
  refundFeeBp,
  refundIfClaimed: true,
});
const END = '2026-12-31';
const slice = (from: Day, to: Day, more: Partial<Slice> = {}): Slice => ({
  id: from,
  planCode: 'P1',
  from,
  to,
  annualFen: 120_000n,
  ...more,
});
const amounts = (terms: PremiumTerms, { lines }: CoverChange) => lines.map((line) => lineOf(terms, line).amountFen);

describe('a premium by days', () => {
  // policy.md acceptance 1
  it('charges from the day of joining and returns what is left after the last day, less the fee', () => {
    const join = lineOf(year('DAY'), { basis: 'CHARGE', annualFen: 120_000n, from: '2026-04-11', to: END, withFee: false });
    expect(join).toMatchObject({ amountFen: 87_123n, days: 265, calc: '年保费1,200.00元 × 265天 ÷ 365天 = 871.23元' });
    const [left] = removeCover([slice('2026-01-01', END)], '2026-09-15', false).lines;
    expect(lineOf(year('DAY', 2500), left!)).toMatchObject({ amountFen: -26_383n, feeFen: 8795n, from: '2026-09-16' });
    expect(chargeOf(year('DAY'), 120_000n, '2026-04-11', '2026-09-15')).toBe(51_945n);
  });

  it('a started month counts, whole months left are returned', () => {
    expect(chargeOf(year('MONTH'), 120_000n, '2026-04-11', END)).toBe(90_000n);
    expect(amounts(year('MONTH'), removeCover([slice('2026-01-01', END)], '2026-09-15', false))).toEqual([-30_000n]);
    // who joined in the middle of a month and never was covered gets all back
    expect(amounts(year('MONTH'), removeCover([slice('2026-04-11', END)], '2026-04-10', false))).toEqual([-90_000n]);
  });

  it('returns nothing after a payment where the policy says so', () => {
    const { lines, write } = removeCover([slice('2026-01-01', END)], '2026-09-15', true);
    expect(lineOf(year('DAY', 2500), lines[0]!)).toMatchObject({ amountFen: 0n, feeFen: 0n, calc: '已发生赔付，不退费' });
    expect(write).toMatchObject([{ to: '2026-09-15' }]);
  });

  it('instalments add up', () => {
    expect([1, 2, 3, 4].map((no) => instalmentOf(100_000n, no, 4))).toEqual([25_000n, 25_000n, 25_000n, 25_000n]);
    expect([1, 2, 3].map((no) => instalmentOf(100_000n, no, 12))).toEqual([8333n, 8334n, 8333n]);
    expect(periodsOf('QUARTER', '2026-01-31', 365).map(({ from, to }) => `${from} ${to}`)).toEqual([
      '2026-01-31 2026-04-29',
      '2026-04-30 2026-07-30',
      '2026-07-31 2026-10-30',
      '2026-10-31 2027-01-30',
    ]);
    expect(periodsOf('LUMP', '2026-01-01', 365)).toHaveLength(1);
    expect(plusMonths('2026-01-31', 1)).toBe('2026-02-28');
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), fc.integer({ min: 1, max: 60 }), (amount, of) => {
        const parts = Array.from({ length: of }, (_, at) => instalmentOf(amount, at + 1, of));
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount);
      }),
    );
  });
});

describe('whatever happens to a person', () => {
  type Step = { kind: 'join' | 'leave' | 'plan'; day: number; annual: number };
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('join', 'leave', 'plan'),
    day: fc.integer({ min: -1, max: 364 }),
    annual: fc.integer({ min: 0, max: 500_000 }),
  });
  const carriedOut = (live: readonly Slice[], { kind, day, annual }: Step): CoverChange => {
    const on = plusDays('2026-01-01', day);
    if (kind === 'leave') return removeCover(live, on, false);
    const from = on < '2026-01-01' ? '2026-01-01' : on;
    if (kind === 'plan') return changePlan(live, from, `P${annual % 3}`, BigInt(annual));
    return overlapping(live, from, END)
      ? { supersede: [], write: [], lines: [] }
      : addCover({ planCode: 'P1', from, to: END, annualFen: BigInt(annual) });
  };

  // policy.md acceptance 1 (V6)
  it.each(['DAY', 'MONTH'] as const)('charges less returns before fees are what the covered days cost (%s)', (prorate) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const terms = year(prorate, 1000);
        let live: Slice[] = [];
        let paid = 0n;
        let serial = 0;
        for (const one of steps) {
          const change = carriedOut(live, one);
          for (const wish of change.lines) {
            const { amountFen, feeFen } = lineOf(terms, wish);
            paid += amountFen - feeFen;
          }
          live = [
            ...live.filter((kept) => !change.supersede.includes(kept)),
            ...change.write.map((written) => ({ ...written, id: String((serial += 1)) })),
          ].toSorted((left, right) => (left.from < right.from ? -1 : 1));
          live.forEach((kept, at) => expect(at === 0 || live[at - 1]!.to < kept.from).toBe(true));
        }
        // By months a day of a plan's change belongs to both plans' months, as each line alone says.
        const due = live.reduce((sum, { annualFen, from, to }) => sum + chargeOf(terms, annualFen, from, to), 0n);
        expect(paid).toBe(due);
      }),
    );
  });

  it('cover that goes on is charged for the days behind its old end', () => {
    const change = extendCover([slice('2026-04-11', END), slice('2026-01-01', '2026-02-01')], END, '2027-01-31');
    expect(change.write).toMatchObject([{ from: '2026-04-11', to: '2027-01-31' }]);
    expect(amounts(year('DAY'), change)).toEqual([chargeOf(year('DAY'), 120_000n, '2027-01-01', '2027-01-31')]);
  });
});

describe('cover', () => {
  const at = (hour: number) => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;
  const seen = (visible: number | null, undone: number | null = null) => ({
    visibleAt: visible === null ? null : at(visible),
    undoneAt: undone === null ? null : at(undone),
  });
  const kept = (one: Slice, createdBy: KeptSlice['createdBy'], ...supersededBy: KeptSlice['createdBy'][]): KeptSlice => ({
    ...one,
    createdBy,
    supersededBy,
  });

  it('is live from the moment its endorsement is seen until one that is seen replaces it, and again when that is taken back', () => {
    const slices = [
      kept(slice('2026-01-01', END), seen(1), seen(3, 5)),
      kept(slice('2026-01-01', '2026-09-15', { id: 'cut' }), seen(3, 5)),
      kept(slice('2026-01-01', END, { id: 'never' }), seen(null)),
    ];
    const ids = (hour: number) => liveAt(slices, at(hour)).map(({ id }) => id);
    expect([ids(0), ids(1), ids(3), ids(4), ids(5)]).toEqual([[], ['2026-01-01'], ['cut'], ['cut'], ['2026-01-01']]);
  });

  it('is not there on a suspended day', () => {
    const live = [slice('2026-01-01', END)];
    const suspensions = suspensionsOf([
      { kind: 'SUSPEND', effectiveOn: '2026-05-01' },
      { kind: 'REINSTATE', effectiveOn: '2026-06-01' },
      { kind: 'SUSPEND', effectiveOn: '2026-08-01' },
    ]);
    expect(suspensions).toEqual([
      { from: '2026-05-01', to: '2026-05-31' },
      { from: '2026-08-01', to: null },
    ]);
    const covered = ['2026-04-30', '2026-05-01', '2026-05-31', '2026-06-01', '2026-08-01'].map(
      (day) => coverOn(live, suspensions, day) !== null,
    );
    expect(covered).toEqual([true, false, false, true, false]);
    expect(insuredStateOn(live, suspensions, END, '2026-08-02')).toBe('SUSPENDED');
    expect(insuredStateOn([], [], END, '2026-08-02')).toBe('VOID');
    expect(insuredStateOn([slice('2026-01-01', '2026-02-01')], [], END, '2026-08-02')).toBe('LEFT');
    expect(insuredStateOn(live, [], END, '2027-01-01')).toBe('EXPIRED');
    expect(insuredStateOn(live, [], END, '2025-12-31')).toBe('PENDING');
    expect(
      suspensionsOf([
        { kind: 'SUSPEND', effectiveOn: '2026-05-01' },
        { kind: 'REINSTATE', effectiveOn: '2026-05-01' },
      ]),
    ).toEqual([]);
  });

  it('is one run of days over changes of plan, and another one behind a gap', () => {
    const live = [slice('2026-06-01', END), slice('2026-01-01', '2026-05-31'), slice('2027-03-01', '2027-12-31')];
    const run = (day: string) => coveredRun(live, day);
    expect(coveredRun([], '2026-01-01')).toBeNull();
    expect([run('2025-12-01'), run('2026-07-01'), run(END)]).toEqual(Array.from({ length: 3 }, () => ({ from: '2026-01-01', to: END })));
    expect([run('2027-01-15'), run('2028-01-01')]).toEqual(Array.from({ length: 2 }, () => ({ from: '2027-03-01', to: '2027-12-31' })));
  });

  it('goes back to an earlier one where the gap is within what is allowed', () => {
    const before = [{ productId: '1', from: '2025-01-01', to: '2025-12-31' }];
    const gap = (id: string) => (id === '1' ? 30 : null);
    expect(continuousFrom('2026-01-01', before, gap)).toBe('2025-01-01');
    expect(continuousFrom('2026-01-31', before, gap)).toBe('2025-01-01');
    expect(continuousFrom('2026-02-15', before, gap)).toBe('2026-02-15');
    expect(continuousFrom('2026-01-01', before, () => null)).toBe('2026-01-01');
    const chain = [...before, { productId: '1', from: '2024-01-01', to: '2024-12-15' }];
    expect(continuousFrom('2026-01-01', chain, gap)).toBe('2024-01-01');
  });
});

it('policy numbers are compared without case, width and blanks', () => {
  expect(normalPolicyNo(' za２０２６ －ab 01')).toBe('ZA2026-AB01');
});
