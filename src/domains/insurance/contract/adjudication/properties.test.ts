import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benefit, claimOf, control, group, line, listed, tier, version } from '../testing/specs.ts';
import { adjudicateCore } from './adjudicate.ts';
import { inputFault } from './fault.ts';
import type { AdjudicationInput } from './input.ts';
import type { AdjudicationResult } from './result.ts';
import type { ControlSpec, TierSpec, VersionSpec } from './spec.ts';

/** As many as the design names for what decides about money (V1 to V5). */
const RUNS = 10_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const run = ({ spec, input, controls }: Case, used = controls) => adjudicateCore(spec, used, input, sha256);

interface Case {
  spec: VersionSpec;
  input: AdjudicationInput;
  controls: ControlSpec[];
}

const MEDICINES = ['A', 'B', 'C'];
const fen = (max: number) => fc.integer({ min: 0, max });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 1 });

/** One ladder over all amounts. */
const ladder = fc
  .tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), fen(2_000_000))
  .map(([low, high, at]): TierSpec[] => (at === 0 ? [tier(low)] : [tier(low, { toFen: at }), tier(high, { fromFen: at })]));

const specs = fc
  .record({
    rows: fc.tuple(
      ...MEDICINES.slice(0, 2).map((id) =>
        fc
          .record({
            socialCategory: fc.constantFrom('INSIDE' as const, 'OUTSIDE' as const),
            maxUnitPriceFen: maybe(fen(800_000)),
            maxQtyPerClaimMilli: maybe(fen(5000)),
            minIntervalDays: maybe(fc.integer({ min: 1, max: 30 })),
          })
          .map((row) => listed(id, row)),
      ),
    ),
    socialMode: fc.constantFrom('DEDUCT' as const, 'IGNORE' as const, 'REQUIRED' as const),
    waitingDays: fc.constantFrom(0, 30),
    deductible: fen(1_000_000),
    offsets: fc.boolean(),
    ceiling: fen(3_000_000),
    caps: fc.record({
      perLineFen: maybe(fen(500_000)),
      perItemYearFen: maybe(fen(900_000)),
      perClaimFen: maybe(fen(900_000)),
      perYearFen: maybe(fen(2_000_000)),
      lifetimeFen: maybe(fen(4_000_000)),
      timesPerYear: maybe(fc.integer({ min: 0, max: 4 })),
    }),
    sum: maybe(fen(3_000_000)),
    tiers: ladder,
  })
  .map(({ rows, socialMode, waitingDays, deductible, offsets, ceiling, caps, sum, tiers }) =>
    version({
      rows,
      groups: [group('D', deductible, { otherPayOffsets: offsets }), group('C', ceiling, { kind: 'CEILING', subject: 'FAMILY' })],
      plans: [{ planCode: 'P1', planName: '基础版', sumInsuredFen: sum, groupAmounts: {}, caps: {}, tiers: {} }],
      benefits: [benefit({ socialMode, waitingDays, deductibleGroup: 'D', ceilingGroups: ['C'], caps, tiers })],
    }),
  );

const lines = fc
  .array(
    fc.record({
      medicineId: fc.constantFrom(...MEDICINES),
      serviceDate: fc.constantFrom('2026-01-10', '2026-03-01', '2026-06-01', '2027-01-02'),
      qtyMilli: fc.integer({ min: 1, max: 9000 }),
      unitPriceFen: fen(1_000_000),
      amountFen: fen(3_000_000),
      socialSettled: fc.boolean(),
      socialPaidFen: maybe(fen(600_000)),
      otherPaidFen: maybe(fen(300_000)),
      facts: fc.constantFrom<Record<string, string>>({}, { 'line.sinceLastDays': '3' }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) => all.map((one, index) => line(index + 1, one)));

const YEAR = '@2026-01-01';
const inputs = fc
  .record({
    lines,
    social: maybe(fen(500_000)),
    balances: fc.record({
      [`DED:1:D${YEAR}`]: fen(1_200_000),
      [`GRP:1:C${YEAR}`]: fen(3_500_000),
      [`PAY:1:OUT_DRUG${YEAR}`]: fen(2_500_000),
      'PAY:1:OUT_DRUG@LIFE': fen(4_500_000),
      [`LAD:1:OUT_DRUG${YEAR}`]: fen(3_000_000),
      [`CNT:1:OUT_DRUG${YEAR}`]: fen(5),
      [`SUM:1:P1${YEAR}`]: fen(3_500_000),
    }),
    lowered: fc.array(fc.record({ lineNo: fc.integer({ min: 1, max: 5 }), value: fen(900_000) }), { maxLength: 2 }),
  })
  .map(({ lines: all, social, balances, lowered }) =>
    claimOf(all, {
      balances,
      claim: { socialPaidFen: social },
      overrides: lowered.map((one) => ({ ...one, kind: 'AMOUNT' as const, reasonCode: 'L23', by: '李审核' })),
    }),
  );

const controls = fc.array(
  fc
    .record({
      mode: fc.constantFrom('MONITOR' as const, 'WARN' as const, 'CAP' as const, 'HOLD' as const, 'REJECT' as const),
      observeOnly: fc.boolean(),
      variable: fc.constantFrom('line.qty', 'line.unitPrice', 'claim.amount', 'person.age'),
      target: fc.constantFrom('QTY' as const, 'UNIT_PRICE' as const, 'PAYABLE' as const, 'CLAIM_PAYABLE' as const),
      value: fen(500_000),
    })
    .map(({ mode, observeOnly, variable, target, value }) => ({
      mode,
      observeOnly,
      expression: { op: 'AND' as const, items: [{ variable, operator: '>' as const, value: '1' }] },
      cap: mode === 'CAP' ? { target, value, variable: null, factorBp: null } : null,
    })),
  { maxLength: 4 },
);

const cases: fc.Arbitrary<Case> = fc
  .tuple(specs, inputs, controls)
  .map(([spec, input, made]) => ({ spec, input, controls: made.map((one, index) => control(`C${index}`, one)) }))
  // What the engine is never handed: lines of nothing, and reductions of lines that are not there.
  .filter(({ spec, input }) => inputFault(spec, input) === null);

const always = (holds: (one: Case, result: AdjudicationResult) => void, numRuns = RUNS) =>
  fc.assert(
    fc.property(cases, (one) => holds(one, run(one))),
    { numRuns },
  );

describe('whatever the contract, the controls and the claim', () => {
  it('V1, V2: each line pays between nothing and what was claimed, its cuts add up and no step rises', () => {
    always(({ input }, { lines: all, payableFen }) => {
      expect(payableFen).toBe(all.reduce((sum, one) => sum + one.payableFen, 0));
      for (const one of all) {
        const { amountFen } = input.lines.find(({ lineNo }) => lineNo === one.lineNo)!;
        expect(one.steps).toHaveLength(14);
        expect(one.steps.reduce((sum, { cut }) => sum + cut, 0)).toBe(amountFen - one.payableFen);
        expect(one.steps.every(({ before, cut, after }) => cut >= 0 && after >= 0 && before - cut === after)).toBe(true);
        expect(one.steps.every(({ before }, at) => at === 0 || before === one.steps[at - 1]!.after)).toBe(true);
        // What others paid and what this pays is never more than was claimed.
        expect(one.payableFen + one.socialCountedFen + one.otherCountedFen).toBeLessThanOrEqual(amountFen);
        expect(Number.isSafeInteger(one.payableFen)).toBe(true);
        // What is paid short, and what is paid nothing of, is explained.
        if (one.payableFen < amountFen) expect(one.reasons).not.toEqual([]);
      }
    });
  });

  it('V3: no account moves beyond its limit', () => {
    always(({ spec, input }, { moves }) => {
      const { caps } = spec.benefits[0]!;
      const limits: Record<string, number | null> = {
        [`DED:1:D${YEAR}`]: spec.groups[0]!.amountFen,
        [`GRP:1:C${YEAR}`]: spec.groups[1]!.amountFen,
        [`PAY:1:OUT_DRUG${YEAR}`]: caps.perYearFen,
        'PAY:1:OUT_DRUG@LIFE': caps.lifetimeFen,
        [`CNT:1:OUT_DRUG${YEAR}`]: caps.timesPerYear,
        [`SUM:1:P1${YEAR}`]: spec.plans[0]!.sumInsuredFen,
        [`ITEM:1:OUT_DRUG:A${YEAR}`]: caps.perItemYearFen,
        [`ITEM:1:OUT_DRUG:B${YEAR}`]: caps.perItemYearFen,
      };
      for (const { key, delta } of moves) {
        expect(delta).toBeGreaterThan(0);
        const limit = limits[key];
        if (limit !== null && limit !== undefined) expect(delta).toBeLessThanOrEqual(Math.max(0, limit - (input.balances[key] ?? 0)));
      }
    });
  });

  it('V5: a dearer unit above the cap pays no more', () => {
    always((one) => {
      const [first] = one.spec.formularies[0]!.lines;
      const cap = first!.maxUnitPriceFen;
      if (cap === null || cap === 0) return;
      const at = (unitPriceFen: number): Case => ({
        ...one,
        controls: [],
        input: {
          ...one.input,
          overrides: [],
          lines: [line(1, { medicineId: 'A', unitPriceFen, qtyMilli: 2000, amountFen: 2 * unitPriceFen })],
        },
      });
      expect(run(at(cap * 2)).payableFen).toBeLessThanOrEqual(run(at(cap)).payableFen);
    });
  });

  it('V9: rules that only watch or hint change no amount', () => {
    always((one) => {
      const mild = one.controls.map((rule) => ({ ...rule, mode: rule.mode === 'WARN' ? rule.mode : ('MONITOR' as const), cap: null }));
      const amounts = ({ lines: all, moves, payableFen }: AdjudicationResult) => ({ all, moves, payableFen });
      expect(amounts(run(one, mild))).toEqual(amounts(run(one, [])));
    }, 2000);
  });

  it('V11: every step names a part that exists', () => {
    always(({ spec, controls: all }, { lines: made }) => {
      const known = new Set([
        'input:lines',
        'input:cover',
        'input:overrides',
        'controls',
        'version:benefits',
        'version:claimWindowDays',
        'version:hospitalScope',
        ...spec.plans.map(({ planCode }) => `plan:${planCode}`),
        ...spec.groups.map(({ groupCode }) => `group:${groupCode}`),
        ...spec.benefits.map(({ benefitCode }) => `benefit:${benefitCode}`),
        ...spec.formularies.flatMap(({ formularyVersionId, lines: rows }) =>
          rows.map(({ medicineId, indicationCode }) => `formulary:${formularyVersionId}:${medicineId}:${indicationCode}`),
        ),
        ...all.map(({ ruleVersionId }) => `control:${ruleVersionId}`),
      ]);
      const parts = made.flatMap(({ steps }) => steps.map(({ sourceRef }) => sourceRef.split('.')[0]!));
      expect(parts.filter((part) => !known.has(part))).toEqual([]);
    }, 2000);
  });

  it('V4: the same input gives the same bytes, in another process too', () => {
    const sample = fc.sample(cases, { numRuns: 100, seed: 7 });
    const digest = sha256(sample.map((one) => JSON.stringify(run(one))).join('\n'));
    expect(sha256(sample.map((one) => JSON.stringify(run(structuredClone(one)))).join('\n'))).toBe(digest);
    const told = execFileSync(process.execPath, [path.join(import.meta.dirname, '../../server/testing/otherProcess.ts')], {
      input: JSON.stringify(sample),
      encoding: 'utf8',
    });
    expect(told).toBe(digest);
  });
});
