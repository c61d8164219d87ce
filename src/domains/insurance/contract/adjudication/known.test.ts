import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { benefit, boxes, claimOf, control, group, line, listed, tier, version } from '../testing/specs.ts';
import { adjudicateCore, adjudicateWhole } from './adjudicate.ts';
import { inputFault } from './fault.ts';
import type { AdjudicationInput, LineInput } from './input.ts';
import { partsOfKey, withProduct } from './keys.ts';
import { limitsOfPlan } from './limits.ts';
import { riderInput, withSharedGroups } from './rider.ts';
import type { ControlSpec, VersionSpec } from './spec.ts';
import { storedInput } from './stored.ts';

// What the engine knows of the past, and what it does where it does not know it.
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const run = (spec: VersionSpec, input: AdjudicationInput, controls: readonly ControlSpec[] = []) =>
  adjudicateCore(spec, controls, input, sha256);
const paidOf = (spec: VersionSpec, input: AdjudicationInput) => run(spec, input).lines.map(({ payableFen }) => payableFen);
const limited = (qtyMilli: number, days: number) => version({ rows: [listed('A', { maxQtyPerDays: { qtyMilli, days } })] });
const bought = (lineNo: number, serviceDate: string, facts: LineInput['facts'] = { 'line.qty30d': '0' }) =>
  boxes(lineNo, 'A', 2, 1000, { serviceDate, facts });

describe('a quantity within so many days', () => {
  it.each([
    ['three months of receipts are three windows', ['2026-04-01', '2026-05-01', '2026-05-31'], [2000, 2000, 2000]],
    ['what lies within the window counts', ['2026-05-01', '2026-05-30'], [2000, 0]],
    ['a day later it does not', ['2026-05-01', '2026-05-31'], [2000, 2000]],
    ['whatever the order of the lines', ['2026-05-31', '2026-05-01'], [2000, 2000]],
    ['of one day the earlier line has it', ['2026-05-01', '2026-05-01'], [2000, 0]],
  ])('%s', (_what, days, paid) => {
    expect(paidOf(limited(2000, 30), claimOf(days.map((day, index) => bought(index + 1, day))))).toEqual(paid);
  });

  it.each([7, 30, 45, 60, 90, 365])('of %i days is served by the fact of that window, on top of the claim', (days) => {
    const fact = `line.qty${days}d`;
    const input = (used: string) => claimOf([bought(1, '2026-06-01', { [fact]: used }), bought(2, '2026-06-02', { [fact]: used })]);
    expect(paidOf(limited(5000, days), input('0'))).toEqual([2000, 2000]);
    expect(paidOf(limited(5000, days), input('2'))).toEqual([2000, 1000]);
    expect(paidOf(limited(5000, days), input('5'))).toEqual([0, 0]);
  });

  it('counts what was bought under another benefit too, and no other medicine', () => {
    const spec = version({ rows: [listed('A', { maxQtyPerDays: { qtyMilli: 2000, days: 30 } }), listed('B')] });
    const other = boxes(2, 'B', 2, 1000, { serviceDate: '2026-06-01' });
    expect(paidOf(spec, claimOf([bought(1, '2026-06-02'), other]))).toEqual([2000, 2000]);
  });
});

describe('what is not known is never zero: the line is held up and says what is missing', () => {
  const one = (facts: LineInput['facts'] = {}, other: Partial<LineInput> = {}) => [boxes(1, 'A', 1, 10_000, { facts, ...other })];
  const months = [tier(10_000, { monthTo: 3 }), tier(5000, { monthFrom: 4 })];
  it.each([
    ['a window', limited(5000, 60), claimOf(one()), ['line.qty60d'], 10_000],
    ['a window of another length', limited(5000, 60), claimOf(one({ 'line.qty30d': '0' })), ['line.qty60d'], 10_000],
    ['a window that is no number', limited(5000, 60), claimOf(one({ 'line.qty60d': '多' })), ['line.qty60d'], 10_000],
    ['a window of null', limited(5000, 60), claimOf(one({ 'line.qty60d': null })), ['line.qty60d'], 10_000],
    ['the last purchase', version({ rows: [listed('A', { minIntervalDays: 21 })] }), claimOf(one()), ['line.sinceLastDays'], 10_000],
    ['the first dose', version({ benefits: [benefit({ tiers: months })] }), claimOf(one()), ['line.monthsSinceFirstDose'], 0],
    [
      'the diagnosis, of a waiting period',
      version({ benefits: [benefit({ waitingDays: 30, waitingEffect: 'DISEASE' })] }),
      claimOf(one(), { claim: { firstDiagnosedOn: null } }),
      ['claim.firstDiagnosedOn'],
      10_000,
    ],
    [
      'the diagnosis, of an exclusion',
      version({ benefits: [benefit({ preExistingMode: 'EXCLUDE' })] }),
      claimOf(one(), { claim: { firstDiagnosedOn: null } }),
      ['claim.firstDiagnosedOn'],
      10_000,
    ],
    [
      'the diagnosis, of rates',
      version({ benefits: [benefit({ tiers: [tier(4000, { preExisting: 'Y' }), tier(8000, { preExisting: 'N' })] })] }),
      claimOf(one(), { claim: { firstDiagnosedOn: null } }),
      ['claim.firstDiagnosedOn'],
      8000,
    ],
  ])('%s', (_what, spec, input, missing, payableFen) => {
    expect(run(spec, input)).toMatchObject({ outcome: 'HOLD', payableFen, lines: [{ outcome: 'HOLD', missing }] });
  });

  it.each([
    ['of a window where the list declares none', version(), claimOf(one())],
    ['of the diagnosis where nothing hangs on it', version(), claimOf(one(), { claim: { firstDiagnosedOn: null } })],
    ['of the first dose where every month pays the same', version(), claimOf(one())],
  ])('nothing is missing %s', (_what, spec, input) => {
    expect(run(spec, input)).toMatchObject({ outcome: 'PAY', lines: [{ missing: [] }] });
  });

  it('a cap that cannot be judged, and a rule that asks for materials, are told as hints', () => {
    const expression = { op: 'AND' as const, items: [{ variable: 'line.doseFactor', operator: '>' as const, value: '1' }] };
    const cap = control('C', { mode: 'CAP', expression, cap: { target: 'QTY', value: 1, variable: null, factorBp: null } });
    expect(run(version(), claimOf(one()), [cap])).toMatchObject({
      payableFen: 10_000,
      hits: [{ mode: 'WARN', intendedMode: 'CAP', missing: ['line.doseFactor'] }],
    });
    const rule = { ruleCode: 'R', ruleName: '剂量', benefitCodes: [], claimTypes: [], expression, outcome: 'REQUIRE_MATERIAL' as const };
    const spec = version({ rules: [{ ...rule, materialTypes: ['GENE_TEST'], reasonCode: null, applicantText: '', priority: 1 }] });
    expect(run(spec, claimOf(one()))).toMatchObject({ materials: [], rules: [{ outcome: 'WARN', missing: ['line.doseFactor'] }] });
  });
});

it('an interval is kept between the lines of one claim too; what is bought on one day is one purchase', () => {
  const spec = version({ rows: [listed('A', { minIntervalDays: 21 })] });
  const days = ['2026-05-01', '2026-05-01', '2026-05-10', '2026-05-22'];
  const result = run(
    spec,
    claimOf(days.map((serviceDate, at) => boxes(at + 1, 'A', 1, 100, { serviceDate, facts: { 'line.sinceLastDays': '40' } }))),
  );
  expect(result.lines.map(({ payableFen, reasons }) => [payableFen, ...reasons.map(({ code }) => code)])).toEqual([
    [100],
    [100],
    [0, 'L25'],
    [100],
  ]);
});

it('W04 is quantity times price always, also where the price has no limit', () => {
  // 3 units at 1 fen are 3 fen, claimed as 3; two thirds of a unit's fen would be rounded up twice.
  const spec = version({ rows: [listed('A', { maxQtyPerClaimMilli: 500 })] });
  const { lines } = run(spec, claimOf([line(1, { qtyMilli: 999, unitPriceFen: 1, amountFen: 1 })]));
  // The half of one fen is one fen by the amount and one by the price.
  expect(lines[0]!.steps.slice(2, 4).map(({ after }) => after)).toEqual([1, 1]);
  const tiny = run(
    version({ rows: [listed('A', { maxQtyPerClaimMilli: 499 })] }),
    claimOf([line(1, { qtyMilli: 500, unitPriceFen: 1, amountFen: 1 })]),
  );
  expect(tiny.lines[0]).toMatchObject({ payableFen: 0, reasons: [{ code: 'L06' }] });
  expect(tiny.lines[0]!.steps.slice(2, 4).map(({ after }) => after)).toEqual([1, 0]);
});

describe('times per year', () => {
  const spec = version({ benefits: [benefit({ caps: { timesPerYear: 2 } })] });
  const key = 'CNT:1:OUT_DRUG@2026-01-01';
  const on = (day: string, balances: Record<string, number>, days: string[]) =>
    run(spec, claimOf([boxes(1, 'A', 1, 100, { serviceDate: day })], { balances, countedDays: { [key]: days } }));

  it('count a service day once across claims', () => {
    const full = { [key]: 2 };
    const counted = ['2026-03-01', '2026-04-01'];
    expect(on('2026-05-01', full, counted)).toMatchObject({ payableFen: 0, lines: [{ reasons: [{ code: 'L16' }] }] });
    const again = on('2026-04-01', full, counted);
    expect(again.payableFen).toBe(100);
    expect(again.moves.filter((move) => move.key === key)).toEqual([]);
  });

  it('say which days a claim counts, each once', () => {
    const two = run(spec, claimOf([boxes(1, 'A', 1, 100), boxes(2, 'B', 1, 100), boxes(3, 'A', 1, 100, { serviceDate: '2026-06-02' })]));
    expect(two.payableFen).toBe(300);
    expect(two.moves.find((move) => move.key === key)).toMatchObject({ delta: 2, days: ['2026-06-01', '2026-06-02'] });
  });
});

describe('accounts', () => {
  const copied = (productId: string, other: Partial<VersionSpec> = {}): VersionSpec =>
    version({
      productId,
      productVersionId: productId,
      groups: [group('D1', 1000), group('C1', 500_000, { kind: 'CEILING' }), group('K1', 300, { period: 'CLAIM' })],
      plans: [{ planCode: 'P1', planName: '基础版', sumInsuredFen: 600_000, groupAmounts: {}, caps: {}, tiers: {} }],
      benefits: [
        benefit({
          deductibleGroup: 'K1',
          ceilingGroups: ['C1'],
          caps: { perYearFen: 500_000, perItemYearFen: 500_000, lifetimeFen: 500_000, timesPerYear: 1, perClaimFen: 500_000 },
        }),
      ],
      ...other,
    });

  it('a rider with the codes of its main product is charged with its own payments alone', () => {
    const main = copied('1');
    const input = claimOf([boxes(1, 'A', 1, 1_000_300)]);
    const whole = adjudicateWhole(main, [], input, sha256);
    expect(whole.result.payableFen).toBe(500_000);
    const rider = run(withSharedGroups(copied('2'), main, [], 'P1'), riderInput(input, whole, 'P1'));
    expect(rider.payableFen).toBe(500_000);
    const mains = new Set(whole.result.moves.map(({ key }) => key));
    expect(rider.moves.filter(({ key }) => mains.has(key))).toEqual([]);
  });

  it('only what is shared is shared, purses of one claim too, whatever the rider calls them', () => {
    const main = copied('1');
    const input = claimOf([boxes(1, 'A', 1, 400_300)]);
    const whole = adjudicateWhole(main, [], input, sha256);
    // 300 are the co-payment; half of the rest would be left to the rider, were there a rate.
    expect(whole.result.payableFen).toBe(400_000);
    const other = copied('2', {
      groups: [group('C1', 900_000, { kind: 'CEILING' }), group('X1', 1, { kind: 'CEILING' }), group('K1', 300, { period: 'CLAIM' })],
      benefits: [benefit({ deductibleGroup: 'K1', ceilingGroups: ['C1', 'X1'] })],
    });
    const shared = withSharedGroups(
      other,
      main,
      [
        { mainGroup: 'C1', otherGroup: 'X1' },
        { mainGroup: 'K1', otherGroup: 'K1' },
      ],
      'P1',
    );
    const apart = run(shared, { ...riderInput(input, whole, 'P1'), lines: input.lines });
    // The co-payment of the claim was borne; of the main ceiling 100,000 are left; the rider's own C1 is another purse.
    expect(apart.payableFen).toBe(100_000);
    expect(apart.lines[0]!.steps.find(({ code }) => code === 'W07')).toMatchObject({ cut: 0 });
    expect(apart.moves.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['GRP:1:C1@2026-01-01', 'GRP:2:C1@2026-01-01', 'PAY:2:OUT_DRUG@2026-01-01']),
    );
  });

  it('every account that a claim moves carries its product, and every limit of it has a name', () => {
    const spec = copied('41');
    const { moves } = run(spec, claimOf([boxes(1, 'A', 1, 10_000), boxes(2, 'B', 1, 10_000)]));
    expect(moves.map(({ key }) => partsOfKey(key)?.productId)).toEqual(moves.map(() => '41'));
    const named = limitsOfPlan(spec, 'P1').map(({ key, period }) => `${key}@${period === 'LIFE' ? 'LIFE' : '2026-01-01'}`);
    // The ladder of a year counts and has no limit.
    expect(moves.map(({ key }) => key).filter((key) => !key.startsWith('LAD:') && !named.includes(key))).toEqual([]);
    expect(limitsOfPlan(spec, 'P1').find(({ key }) => key === 'ITEM:41:OUT_DRUG:B')).toMatchObject({
      label: '院外特药费用单药年限额（药品B）',
    });
  });

  it.each([
    ['DED:D1@2026-01-01', 'DED:41:D1@2026-01-01'],
    ['ITEM:7:8@2026-01-01', 'ITEM:41:7:8@2026-01-01'],
    ['PAY:3@LIFE', 'PAY:41:3@LIFE'],
    ['PAY:41:3@LIFE', 'PAY:41:3@LIFE'],
    ['ITEM:41:7:8@2026-01-01', 'ITEM:41:7:8@2026-01-01'],
  ])('%s as it was stored is read as %s', (before, now) => {
    const { countedDays: _, ...stored } = claimOf([boxes(1, 'A', 1, 100)], { balances: { [before]: 5 } });
    expect(storedInput(stored, '41')).toMatchObject({ balances: { [now]: 5 }, countedDays: {} });
    expect(withProduct(now, '41')).toBe(now);
  });
});

describe('an input that is not whole is refused in words', () => {
  const lowered = (other: Partial<AdjudicationInput['overrides'][number]>) =>
    claimOf([boxes(1, 'A', 1, 100)], { overrides: [{ lineNo: 1, kind: 'AMOUNT', value: 1, reasonCode: 'L23', by: '李审核', ...other }] });
  it.each([
    ['a reduction without a value', lowered({ value: null }), '人工核减第1条未填写核减值'],
    ['a reduction of a line that is not there', lowered({ lineNo: 9 }), '人工核减第1条指向第9行，明细中没有这一行'],
    [
      'an exclusion of a line that is not there',
      lowered({ lineNo: 9, kind: 'EXCLUDE', value: null }),
      '人工核减第1条指向第9行，明细中没有这一行',
    ],
    ['a line of nothing', claimOf([line(1, { amountFen: 0 })]), '第1行的金额、数量×单价须大于0，未收费的药品请从明细中移除'],
    ['a line without a price', claimOf([line(1, { unitPriceFen: 0 })]), '第1行的金额、数量×单价须大于0，未收费的药品请从明细中移除'],
    ['an account of no product', claimOf([line(1)], { balances: { 'DED:D1@2026-01-01': 1 } }), '已用额度“DED:D1@2026-01-01”不是额度账户'],
    ['days of what counts none', claimOf([line(1)], { countedDays: { 'PAY:1:A@LIFE': [] } }), '已计次的日期“PAY:1:A@LIFE”不是次数账户'],
    ['two lines of one number', claimOf([line(1), line(1)]), '明细行号1重复'],
    ['a plan of another version', claimOf([line(1)], { cover: { planCode: 'P9' } }), '保障计划“P9”不在该产品版本中'],
  ])('%s', (_what, input, fault) => {
    expect(inputFault(version(), input)).toBe(fault);
  });

  it('what is whole is taken', () => {
    expect(inputFault(version(), lowered({}))).toBeNull();
    expect(inputFault(version(), lowered({ kind: 'EXCLUDE', value: null }))).toBeNull();
  });
});
