import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { benefit, boxes, claimOf, control, group, line, listed, tier, version } from '../testing/specs.ts';
import { adjudicateCore } from './adjudicate.ts';
import type { AdjudicationInput } from './input.ts';
import type { AdjudicationResult, StepCode } from './result.ts';
import type { ControlSpec, VersionSpec } from './spec.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const run = (spec: VersionSpec, input: AdjudicationInput, controls: readonly ControlSpec[] = []) =>
  adjudicateCore(spec, controls, input, sha256);

const after = ({ lines }: AdjudicationResult, lineNo: number, code: StepCode) =>
  lines.find((one) => one.lineNo === lineNo)!.steps.find((step) => step.code === code)!.after;
const cells = (result: AdjudicationResult, lineNo: number, codes: readonly StepCode[]) => codes.map((code) => after(result, lineNo, code));
const codesOf = ({ lines }: AdjudicationResult, lineNo: number) =>
  lines.find((one) => one.lineNo === lineNo)!.reasons.map(({ code }) => code);
const moves = ({ moves: all }: AdjudicationResult) => Object.fromEntries(all.map(({ key, delta }) => [key, delta]));
const y = '@2026-01-01';

describe('the worked examples, to the fen', () => {
  it('E0: a claim of two lines, every cell and cut', () => {
    const spec = version({
      rows: [listed('A', { maxUnitPriceFen: 530_000 }), listed('B')],
      groups: [group('D1', 1_600_000)],
      benefits: [
        benefit({
          benefitCode: 'A80',
          drugScope: ['A'],
          deductibleGroup: 'D1',
          tiers: [tier(8000)],
          caps: { perYearFen: 20_000_000 },
        }),
        benefit({
          benefitCode: 'B75',
          priority: 2,
          drugScope: ['B'],
          deductibleGroup: 'D1',
          tiers: [tier(7500)],
          caps: { perItemYearFen: 500_000 },
        }),
      ],
    });
    const input = claimOf([boxes(1, 'A', 2, 558_000, { socialPaidFen: 0 }), boxes(2, 'B', 3, 123_457, { socialPaidFen: 90_000 })], {
      balances: { [`DED:1:D1${y}`]: 1_000_000, [`ITEM:1:B75:B${y}`]: 370_000, [`PAY:1:A80${y}`]: 10_000_000 },
      overrides: [{ lineNo: 2, kind: 'QTY', value: 2000, reasonCode: 'L06', by: '处方剩余量' }],
    });
    const result = run(spec, input);
    const codes = ['W01', 'W03', 'W04', 'W05', 'W07', 'W08', 'W09', 'W14'] as const;
    expect(cells(result, 1, codes)).toEqual([1_116_000, 1_116_000, 1_060_000, 1_060_000, 460_000, 368_000, 368_000, 368_000]);
    expect(cells(result, 2, codes)).toEqual([370_371, 246_914, 246_914, 186_914, 186_914, 140_186, 130_000, 130_000]);
    expect(result).toMatchObject({ payableFen: 498_000, claimedFen: 1_486_371, outcome: 'PARTIAL' });
    expect(result.lines.flatMap(({ steps }) => steps).reduce((sum, { cut }) => sum + cut, 0)).toBe(1_486_371 - 498_000);
    expect(codesOf(result, 2)).toEqual(['L06', 'L08', 'L11', 'L12']);
  });

  it('E1: what social insurance paid is taken off, the rest is paid in full', () => {
    const result = run(version(), claimOf([boxes(1, 'A', 2, 558_000, { socialPaidFen: 781_200 })]));
    expect(after(result, 1, 'W05')).toBe(334_800);
    expect(result.payableFen).toBe(334_800);
  });

  it('E2: a shared deductible of the year, a pre-existing disease outside the list of social insurance', () => {
    const spec = version({
      rows: [listed('A', { socialCategory: 'OUTSIDE' })],
      groups: [group('D1', 1_600_000)],
      benefits: [
        benefit({ deductibleGroup: 'D1', tiers: [tier(4000, { social: 'OUTSIDE', preExisting: 'Y' }), tier(8000, { preExisting: 'N' })] }),
      ],
    });
    const input = claimOf([boxes(1, 'A', 2, 1_791_800), boxes(2, 'X', 1, 126_000)], {
      cover: { preExistingIcd: ['C34'] },
      balances: { [`DED:1:D1${y}`]: 1_200_000 },
    });
    const result = run(spec, input);
    expect(cells(result, 1, ['W01', 'W07', 'W08'])).toEqual([3_583_600, 3_183_600, 1_273_440]);
    expect(result.lines.map(({ payableFen, outcome }) => [payableFen, outcome])).toEqual([
      [1_273_440, 'PARTIAL'],
      [0, 'REJECT'],
    ]);
    expect(codesOf(result, 2)).toEqual(['L04']);
    expect(moves(result)).toEqual({ [`DED:1:D1${y}`]: 400_000, [`PAY:1:OUT_DRUG${y}`]: 1_273_440, [`LAD:1:OUT_DRUG${y}`]: 3_183_600 });
    expect(result.claimedFen).toBe(3_709_600);
  });

  it('E3: quantity, price, another payer whose amount counts toward the deductible', () => {
    const spec = version({
      rows: [listed('A', { maxQtyPerClaimMilli: 3000, maxUnitPriceFen: 950_000 })],
      groups: [group('D1', 1_000_000, { otherPayOffsets: true })],
      benefits: [benefit({ deductibleGroup: 'D1', tiers: [tier(6000, { social: 'NOT_SETTLED' })] })],
    });
    const result = run(spec, claimOf([boxes(1, 'A', 4, 999_000, { socialSettled: false, otherPaidFen: 200_000 })]));
    expect(cells(result, 1, ['W01', 'W03', 'W04', 'W06', 'W07', 'W08'])).toEqual([
      3_996_000, 2_997_000, 2_850_000, 2_700_000, 1_850_000, 1_110_000,
    ]);
    expect(moves(result)[`DED:1:D1${y}`]).toBe(1_000_000);
    expect(result.payableFen).toBe(1_110_000);
  });

  it('E4: a ladder by the amount of the year, then the ceiling of the year', () => {
    const ladder = benefit({
      tiers: [tier(8000, { toFen: 5_000_000 }), tier(9000, { fromFen: 5_000_000 })],
      caps: { perYearFen: 20_000_000 },
    });
    const input = claimOf([boxes(1, 'A', 1, 1_000_000)], {
      balances: { [`LAD:1:OUT_DRUG${y}`]: 4_600_000, [`PAY:1:OUT_DRUG${y}`]: 19_300_000 },
    });
    const result = run(version({ benefits: [ladder] }), input);
    expect(cells(result, 1, ['W07', 'W08', 'W11'])).toEqual([1_000_000, 860_000, 700_000]);
    expect(result.lines[0]!.steps.find(({ code }) => code === 'W11')).toMatchObject({ cut: 160_000 });
    expect(codesOf(result, 1)).toContain('L14');
  });

  it('E5: what was paid for the claim falls on its lines to the fen; per claim, times a year, a co-payment', () => {
    const rate = run(
      version({ benefits: [benefit({ tiers: [tier(8500)] })] }),
      claimOf([line(1, { unitPriceFen: 33_335, amountFen: 33_335 }), line(2, { unitPriceFen: 66_665, amountFen: 66_665 })], {
        claim: { socialPaidFen: 10_001 },
      }),
    );
    expect([after(rate, 1, 'W05'), after(rate, 2, 'W05')]).toEqual([33_335 - 3334, 66_665 - 6667]);
    expect(rate.lines[0]!.payableFen).toBe(25_501);

    const perClaim = version({ benefits: [benefit({ tiers: [tier(9000)], caps: { perClaimFen: 10_000, timesPerYear: 12 } })] });
    const capped = run(perClaim, claimOf([boxes(1, 'A', 3, 4580)]));
    expect(capped.payableFen).toBe(10_000);
    expect(codesOf(capped, 1)).toContain('L13');
    const thirteenth = run(perClaim, claimOf([boxes(1, 'A', 3, 4580)], { balances: { [`CNT:1:OUT_DRUG${y}`]: 12 } }));
    expect(thirteenth.payableFen).toBe(0);
    expect(codesOf(thirteenth, 1)).toEqual(['L16']);

    const daas = version({
      groups: [group('COPAY', 2000, { period: 'CLAIM' })],
      benefits: [benefit({ socialMode: 'IGNORE', deductibleGroup: 'COPAY', caps: { perYearFen: 20_000 } })],
    });
    const copay = run(daas, claimOf([boxes(1, 'A', 2, 8500)], { balances: { [`PAY:1:OUT_DRUG${y}`]: 8000 } }));
    expect(cells(copay, 1, ['W07', 'W11'])).toEqual([15_000, 12_000]);
    expect(Object.keys(moves(copay))).not.toContain('DED:1:COPAY@CLAIM');
  });

  it('E6: rates by months since the first dose', () => {
    const spec = version({ benefits: [benefit({ tiers: [tier(10_000, { monthTo: 3 }), tier(5000, { monthFrom: 4, monthTo: 6 })] })] });
    const paid = [2, 5, 7].map((monthsSinceFirstDose) =>
      run(spec, claimOf([boxes(1, 'A', 2, 558_000, { socialPaidFen: 781_200, monthsSinceFirstDose })])),
    );
    expect(paid.map(({ payableFen }) => payableFen)).toEqual([334_800, 167_400, 0]);
    expect(codesOf(paid[2]!, 1)).toContain('L11');
  });
});

describe('gates', () => {
  const only = (input: AdjudicationInput, spec = version()) => {
    const result = run(spec, input);
    return [result.payableFen, codesOf(result, 1)];
  };
  const one = (other = {}) => [boxes(1, 'A', 1, 10_000, other)];

  it.each([
    ['outside the cover', claimOf(one({ serviceDate: '2025-12-31' })), version(), ['L01']],
    ['late', claimOf(one({ serviceDate: '2026-06-01' }), { claim: { submittedOn: '2026-11-29' } }), version(), ['L18']],
    ['another hospital', claimOf(one(), { claim: { hospitalInScope: false } }), version(), ['L19']],
    ['no benefit of the type', claimOf(one(), { claim: { claimType: 'CARD' } }), version(), ['L22']],
    ['another disease', claimOf(one()), version({ rows: [listed('A', { icd10Prefixes: ['C50'] })] }), ['L05']],
    [
      'pre-existing and excluded',
      claimOf(one(), { claim: { firstDiagnosedOn: '2025-12-31' } }),
      version({ benefits: [benefit({ preExistingMode: 'EXCLUDE' })] }),
      ['L03'],
    ],
    [
      'social insurance first',
      claimOf(one({ socialSettled: false })),
      version({ benefits: [benefit({ socialMode: 'REQUIRED' })] }),
      ['L17'],
    ],
    [
      'too soon after the last',
      claimOf(one({ facts: { 'line.sinceLastDays': '20' } })),
      version({ rows: [listed('A', { minIntervalDays: 25 })] }),
      ['L25'],
    ],
    ['two at once, both told', claimOf([boxes(1, 'X', 1, 100, { serviceDate: '2027-01-01' })]), version(), ['L01', 'L26', 'L04']],
    ['bought after it was handed in', claimOf(one({ serviceDate: '2026-06-11' })), version(), ['L26']],
    [
      'excluded by a person',
      claimOf(one(), { overrides: [{ lineNo: 1, kind: 'EXCLUDE', value: null, reasonCode: 'L23', by: '李审核' }] }),
      version(),
      ['L23'],
    ],
  ])('%s', (_what, input, spec, codes) => {
    expect(only(input, spec)).toEqual([0, codes]);
  });

  it('waiting for 30 days from the first of January: the 30th is inside, the 31st is paid; without a gap both are', () => {
    const disease = version({ benefits: [benefit({ waitingDays: 30, waitingEffect: 'DISEASE' })] });
    const on = (firstDiagnosedOn: string, continuousFrom = '2026-01-01') =>
      only(claimOf(one(), { claim: { firstDiagnosedOn }, cover: { continuousFrom } }), disease);
    expect(on('2026-01-30')).toEqual([0, ['L02']]);
    expect(on('2026-01-31')).toEqual([10_000, []]);
    expect(on('2026-01-30', '2025-01-01')).toEqual([10_000, []]);
    const period = version({ benefits: [benefit({ waitingDays: 90 })] });
    const bought = (serviceDate: string) =>
      only(
        claimOf(one({ serviceDate }), {
          claim: { submittedOn: '2026-10-01' },
          cover: { coverageStart: '2026-07-01', continuousFrom: '2026-07-01' },
        }),
        period,
      );
    expect(bought('2026-09-28')).toEqual([0, ['L02']]);
    expect(bought('2026-09-29')).toEqual([10_000, []]);
  });

  it('a list that changes in mid-term: by the day of purchase, or pinned', () => {
    const lists = version().formularies;
    const changed: VersionSpec['formularies'] = [
      { ...lists[0]!, effectiveTo: '2026-05-31' },
      { ...lists[0]!, formularyVersionId: 'F2', versionNo: 2, effectiveFrom: '2026-06-01', lines: [listed('B')] },
    ];
    const dated = version({ formularies: changed, benefits: [benefit({ formularyMode: 'BY_SERVICE_DATE', formularyVersionId: null })] });
    expect(only(claimOf(one({ serviceDate: '2026-05-31' })), dated)).toEqual([10_000, []]);
    expect(only(claimOf(one({ serviceDate: '2026-06-01' })), dated)).toEqual([0, ['L04']]);
    expect(only(claimOf(one({ serviceDate: '2026-06-01' })), version({ formularies: changed }))).toEqual([10_000, []]);
  });

  it('a person can lower an amount and never raise it', () => {
    const at = (value: number) =>
      run(version(), claimOf(one(), { overrides: [{ lineNo: 1, kind: 'AMOUNT', value, reasonCode: 'L23', by: '李审核' }] })).payableFen;
    expect([at(4000), at(99_999_999)]).toEqual([4000, 10_000]);
  });
});

describe('claim rules', () => {
  const gene = (outcome: 'REJECT_LINE' | 'REJECT_CLAIM' | 'REQUIRE_MATERIAL' | 'HOLD' | 'WARN') =>
    version({
      rows: [listed('A', { geneRequirement: 'EGFR' }), listed('B')],
      rules: [
        {
          ruleCode: 'R1',
          ruleName: '基因检测',
          benefitCodes: [],
          claimTypes: [],
          expression: {
            op: 'AND',
            items: [
              { variable: 'line.geneRequired', operator: '=', value: '1' },
              { variable: 'claim.materials', operator: 'not contains', value: 'GENE_TEST' },
            ],
          },
          outcome,
          materialTypes: ['GENE_TEST'],
          reasonCode: outcome === 'REQUIRE_MATERIAL' ? null : 'L24',
          applicantText: '请补充基因检测报告',
          priority: 1,
        },
      ],
    });
  const both = [boxes(1, 'A', 1, 10_000), boxes(2, 'B', 1, 5000)];

  it.each([
    ['REJECT_LINE', [0, 5000], 'PARTIAL', []],
    ['REJECT_CLAIM', [0, 0], 'REJECT', []],
    ['REQUIRE_MATERIAL', [10_000, 5000], 'SUPPLEMENT', ['GENE_TEST']],
    ['HOLD', [10_000, 5000], 'HOLD', []],
    ['WARN', [10_000, 5000], 'PAY', []],
  ] as const)('%s', (outcome, paid, ofClaim, materials) => {
    const result = run(gene(outcome), claimOf(both));
    expect(result).toMatchObject({ outcome: ofClaim, materials });
    expect(result.lines.map(({ payableFen }) => payableFen)).toEqual(paid);
    expect(result.rules).toEqual([
      { ruleCode: 'R1', ruleName: '基因检测', outcome, lineNos: [1], missing: [], text: '请补充基因检测报告' },
    ]);
    expect(run(gene(outcome), claimOf(both, { claim: { materials: ['GENE_TEST'] } })).outcome).toBe('PAY');
  });
});

describe('controls', () => {
  const four = [boxes(1, 'A', 4, 1000)];
  const caps = [
    control('C2', { mode: 'CAP', cap: { target: 'QTY', value: 2000, variable: null, factorBp: null } }),
    control('C3', { mode: 'CAP', cap: { target: 'QTY', value: 3000, variable: null, factorBp: null } }),
    control('H', { mode: 'HOLD' }),
  ];

  it('caps combine by the lowest, beside a rule that holds up', () => {
    const result = run(version(), claimOf(four), caps);
    expect(result).toMatchObject({ outcome: 'HOLD', payableFen: 2000 });
    expect(result.hits.map(({ ruleCode, mode, savedFen }) => [ruleCode, mode, savedFen])).toEqual([
      ['C2', 'CAP', 2000],
      ['C3', 'CAP', 0],
      ['H', 'HOLD', 0],
    ]);
  });

  it('a module that only observes changes no amount, and says what it would have done', () => {
    const without = run(version(), claimOf(four));
    const observed = run(
      version(),
      claimOf(four),
      caps.map((one) => ({ ...one, observeOnly: true })),
    );
    expect(observed).toEqual({ ...without, hits: observed.hits });
    expect(observed.hits.map(({ mode, intendedMode }) => [mode, intendedMode])).toEqual([
      ['MONITOR', 'CAP'],
      ['MONITOR', 'CAP'],
      ['MONITOR', 'HOLD'],
    ]);
  });

  it('rejects a line and says what it saved; with something missing it only hints', () => {
    const early = control('E', {
      mode: 'REJECT',
      expression: { op: 'AND', items: [{ variable: 'line.earlyRefillDays', operator: '>', value: '7' }] },
    });
    const refused = run(version(), claimOf([boxes(1, 'A', 1, 1000, { facts: { 'line.earlyRefillDays': '9' } })]), [early]);
    expect(refused).toMatchObject({ payableFen: 0, outcome: 'REJECT', hits: [{ mode: 'REJECT', savedFen: 1000 }] });
    expect(codesOf(refused, 1)).toEqual(['L20']);
    const unknown = run(version(), claimOf([boxes(1, 'A', 1, 1000)]), [early]);
    expect(unknown).toMatchObject({
      payableFen: 1000,
      outcome: 'PAY',
      hits: [{ mode: 'WARN', intendedMode: 'REJECT', missing: ['line.earlyRefillDays'] }],
    });
  });

  it('the whole claim is capped line after line', () => {
    const cap = control('S', {
      mode: 'CAP',
      expression: { op: 'AND', items: [{ variable: 'claim.amount', operator: '>', value: '0' }] },
      cap: { target: 'CLAIM_PAYABLE', value: 1500, variable: null, factorBp: null },
    });
    const result = run(version(), claimOf([boxes(1, 'A', 1, 1000), boxes(2, 'B', 1, 1000)]), [cap]);
    expect(result.lines.map(({ payableFen }) => payableFen)).toEqual([1000, 500]);
    expect(result.hits).toMatchObject([{ lineNo: null, savedFen: 500 }]);
  });
});
