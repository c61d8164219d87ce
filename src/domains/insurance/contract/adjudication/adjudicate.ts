import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import { Accumulators, limitsOf } from './accumulators.ts';
import { hitOf, isOfLine, judgeControls, lowestCap, type JudgedControl } from './controls.ts';
import { claimFacts, lineFacts } from './facts.ts';
import { gatesOf, judgeRules, rejects, why, whyOfRule, type JudgedRule, type Why } from './gates.ts';
import { spread } from './integers.ts';
import type { AdjudicationInput, LineInput } from './input.ts';
import { matchBenefit, type Matched } from './matching.ts';
import { Quantities } from './quantities.ts';
import { ENGINE_VERSION, waterfallSteps } from './result.ts';
import type { AdjudicationOutcome, AdjudicationResult, Hit, LineResult, Reason, Step } from './result.ts';
import type { ControlSpec, VersionSpec } from './spec.ts';
import { claimed, reasonOfOverride, waterfall, type LineCase, type Waterfall } from './waterfall.ts';

/** Parts of an amount of the claim that fall on lines without an own one. */
export function spreadOver(
  lines: readonly LineInput[],
  own: (line: LineInput) => number | null,
  whole: number | null,
): Map<number, number> {
  const without = lines.filter((line) => own(line) === null).toSorted((one, other) => one.lineNo - other.lineNo);
  const parts = spread(
    whole ?? 0,
    without.map(({ amountFen }) => amountFen),
  );
  return new Map([
    ...lines.map((line): [number, number] => [line.lineNo, own(line) ?? 0]),
    ...without.map((line, index): [number, number] => [line.lineNo, parts[index]!]),
  ]);
}

/** What is known of a line before amounts are worked off. */
interface Prepared {
  line: LineInput;
  matched: Matched | Exclude<ReturnType<typeof matchBenefit>, Matched>;
  facts: ReturnType<typeof lineFacts>;
  rules: JudgedRule[];
  controls: JudgedControl[];
}

const benefitOf = ({ matched }: Prepared) => (typeof matched === 'string' ? null : matched.benefit);

function prepare(spec: VersionSpec, ofLine: readonly ControlSpec[], input: AdjudicationInput): Prepared[] {
  const ofClaim = claimFacts(input);
  return input.lines
    .map((line): Prepared => {
      const matched = matchBenefit(spec, input, line);
      const facts = lineFacts(input, ofClaim, line, typeof matched === 'string' ? null : matched.row);
      const benefitCode = typeof matched === 'string' ? null : matched.benefit.benefitCode;
      return { line, matched, facts, rules: judgeRules(spec, input, benefitCode, facts), controls: judgeControls(ofLine, facts) };
    })
    .toSorted(
      (one, other) =>
        (benefitOf(one)?.priority ?? Number.MAX_SAFE_INTEGER) - (benefitOf(other)?.priority ?? Number.MAX_SAFE_INTEGER) ||
        (one.line.serviceDate === other.line.serviceDate
          ? one.line.lineNo - other.line.lineNo
          : one.line.serviceDate < other.line.serviceDate
            ? -1
            : 1),
    );
}

/** The steps after a gate that stopped a line. */
const stopped = (amount: number, by: Why): Step[] => [
  { code: 'W02', before: amount, cut: amount, after: 0, sourceRef: by.ref, text: by.wording },
  ...waterfallSteps.codes
    .filter((code) => code > 'W02')
    .map((code): Step => ({ code, before: 0, cut: 0, after: 0, sourceRef: by.ref, text: '无需调整' })),
];

const reasonsOf = (all: readonly Why[]): Reason[] => [
  ...new Map(all.map(({ code, wording }) => [`${code}:${wording}`, { code, wording }])).values(),
];

const holdsUp = (rules: readonly JudgedRule[], controls: readonly JudgedControl[]): boolean =>
  controls.some(({ mode }) => mode === 'HOLD') || rules.some(({ rule, missing }) => missing.length === 0 && rule.outcome === 'HOLD');

/** Materials that a rule asks for and the claim lacks. */
const lacking = ({ claim }: AdjudicationInput, rules: readonly JudgedRule[]): string[] =>
  rules.flatMap(({ rule, missing }) =>
    missing.length === 0 && rule.outcome === 'REQUIRE_MATERIAL'
      ? rule.materialTypes.filter((type) => !claim.materials.some((given) => given === type))
      : [],
  );

function outcomeOf(held: boolean, lacks: boolean, payable: number, amount: number): AdjudicationOutcome {
  if (held) return 'HOLD';
  if (lacks) return 'SUPPLEMENT';
  if (payable === 0) return 'REJECT';
  return payable < amount ? 'PARTIAL' : 'PAY';
}

export interface Adjudicated {
  result: AdjudicationResult;
  /** What is used of every account afterwards, running values of the claim too: what a rider begins with. */
  totals: Readonly<Record<string, number>>;
}

/**
 * What a claim is paid: a pure function of the frozen version, the control rules and the input, in integers alone. Amounts are fen.
 * @param sha256 hex digest of a text; the one thing that the caller's platform gives
 */
export const adjudicateCore = (...given: Parameters<typeof adjudicateWhole>): AdjudicationResult => adjudicateWhole(...given).result;

/** The same, with what it leaves to a rider. */
export function adjudicateWhole(
  spec: VersionSpec,
  controls: readonly ControlSpec[],
  input: AdjudicationInput,
  sha256: (text: string) => string,
): Adjudicated {
  const ofClaim = judgeControls(
    controls.filter((control) => !isOfLine(control)),
    claimFacts(input),
  );
  const prepared = prepare(spec, controls.filter(isOfLine), input);
  const refusals = prepared.flatMap(({ rules }) => rules.filter((one) => rejects(one) && one.rule.outcome === 'REJECT_CLAIM'));
  const social = spreadOver(input.lines, ({ socialPaidFen }) => socialPaidFen, input.claim.socialPaidFen);
  const other = spreadOver(input.lines, ({ otherPaidFen }) => otherPaidFen, input.claim.otherPaidFen);
  const plan = spec.plans.find(({ planCode }) => planCode === input.cover.planCode) ?? null;
  const accumulators = new Accumulators(input.balances, input.countedDays);
  const quantities = new Quantities();
  const savedBy = new Map<JudgedControl, number>();
  const claimCap = lowestCap([...ofClaim, ...prepared.flatMap((one) => one.controls)], 'CLAIM_PAYABLE');
  let paid = 0;

  const lines = prepared.map((one): LineResult => {
    const { line, matched, facts, rules } = one;
    const judged = [...ofClaim, ...one.controls];
    const first = claimed(line);
    const limits = typeof matched === 'string' ? null : limitsOf(spec, input, plan, matched.benefit, line);
    const overrides = input.overrides.filter(({ lineNo }) => lineNo === line.lineNo);
    const refused = judged.filter(({ mode }) => mode === 'REJECT');
    const sinceLast = quantities.sinceLast(line.medicineId, line.serviceDate);
    const judgedGates = gatesOf(spec, input, line, matched, limits, accumulators, facts, sinceLast);
    const gates = [
      ...judgedGates.failed,
      ...[...new Set([...refusals, ...rules.filter(rejects)])].map(whyOfRule),
      ...refused.map(({ control }) => ({
        ...why('L20', `control:${control.ruleVersionId}`),
        ...(control.applicantText !== '' && { wording: control.applicantText }),
      })),
      ...overrides.filter(({ kind }) => kind === 'EXCLUDE').map(reasonOfOverride),
    ];
    const worked = (on: Accumulators): Waterfall | null => {
      if (typeof matched === 'string' || !limits) return null;
      const left = claimCap && { ...claimCap, left: Math.max(0, claimCap.value - paid) };
      const lineCase: LineCase = {
        input,
        line,
        social: social.get(line.lineNo) ?? 0,
        other: other.get(line.lineNo) ?? 0,
        plan,
        matched,
        limits,
        facts,
        controls: judged,
        claimCap: left,
        overrides,
        quantities,
        rowKey: rowKeyOf(matched, line),
        offsets: spec.groups.find(({ groupCode }) => groupCode === matched.benefit.deductibleGroup)?.otherPayOffsets ?? false,
      };
      return waterfall(lineCase, first.amount, on);
    };
    const [stop] = gates;
    const done = stop ? null : worked(accumulators);
    // What a rule refused it saved, where nothing else stood in the way.
    if (stop && refused.length > 0 && gates.length === refused.length) {
      const would = worked(accumulators.copy())?.payable ?? 0;
      savedBy.set(refused[0]!, (savedBy.get(refused[0]!) ?? 0) + would);
    }
    for (const [by, saved] of done?.saved ?? []) savedBy.set(by, (savedBy.get(by) ?? 0) + saved);
    if (done && typeof matched !== 'string') {
      const { medicineId, serviceDate } = line;
      quantities.add({ medicineId, rowKey: rowKeyOf(matched, line), serviceDate, qtyMilli: done.quantity });
      paid += done.payable;
      if (limits?.times && done.payable > 0) accumulators.addDay(limits.times, serviceDate);
    }
    const missing = done ? [...new Set([...judgedGates.missing, ...done.missing])] : [];
    const lacks = lacking(input, rules);
    const payable = done?.payable ?? 0;
    return {
      lineNo: line.lineNo,
      medicineId: line.medicineId,
      medicineName: typeof matched === 'string' || !matched.row ? '' : matched.row.genericName,
      benefitCode: typeof matched === 'string' ? null : matched.benefit.benefitCode,
      benefitName: typeof matched === 'string' ? null : matched.benefit.benefitName,
      formularyVersionId: typeof matched === 'string' ? null : (matched.list?.formularyVersionId ?? null),
      rateBp: done?.rateBp ?? null,
      qtyMilli: done?.quantity ?? 0,
      amountFen: line.amountFen,
      payableFen: payable,
      socialCountedFen: done?.socialCounted ?? 0,
      otherCountedFen: done?.otherCounted ?? 0,
      outcome: outcomeOf(holdsUp(rules, judged) || missing.length > 0, lacks.length > 0, payable, line.amountFen),
      missing,
      reasons: reasonsOf([
        ...first.reasons,
        ...gates,
        ...(done?.reasons ?? []),
        ...(lacks.length > 0 ? [why('L24', 'version:rules')] : []),
      ]),
      steps: done
        ? [
            first.step,
            {
              code: 'W02',
              before: first.amount,
              cut: 0,
              after: first.amount,
              sourceRef: `benefit:${benefitOf(one)!.benefitCode}`,
              text: '属于保险责任',
            },
            ...done.steps,
          ]
        : [first.step, ...stopped(first.amount, stop ?? why('L22', 'version:benefits'))],
    };
  });

  const claimedFen = input.lines.reduce((sum, { amountFen }) => sum + amountFen, 0);
  const materials = [...new Set(prepared.flatMap(({ rules }) => lacking(input, rules)))].toSorted();
  const result: AdjudicationResult = {
    engineVersion: ENGINE_VERSION,
    contentHash: spec.contentHash,
    inputHash: sha256(canonicalJson(input)),
    productVersionId: spec.productVersionId,
    versionNo: spec.versionNo,
    outcome: outcomeOf(
      lines.some(({ outcome }) => outcome === 'HOLD'),
      materials.length > 0,
      paid,
      claimedFen,
    ),
    claimedFen,
    payableFen: paid,
    lines: lines.toSorted((one, another) => one.lineNo - another.lineNo),
    moves: accumulators.moves(),
    hits: hitsOf(ofClaim, prepared, savedBy),
    rules: firedOf(prepared),
    materials,
  };
  return { result, totals: accumulators.totals() };
}

/** Quantities of one row of the drug list add up within a claim. */
const rowKeyOf = ({ benefit, row }: Matched, { medicineId }: LineInput): string =>
  `${benefit.benefitCode}:${medicineId}:${row?.indicationCode ?? ''}`;

function hitsOf(ofClaim: readonly JudgedControl[], prepared: readonly Prepared[], saved: ReadonlyMap<JudgedControl, number>): Hit[] {
  return [
    ...ofClaim.map((one) => hitOf(one, null, saved.get(one) ?? 0)),
    ...prepared
      .toSorted((one, other) => one.line.lineNo - other.line.lineNo)
      .flatMap(({ line, controls }) => controls.map((one) => hitOf(one, line.lineNo, saved.get(one) ?? 0))),
  ];
}

function firedOf(prepared: readonly Prepared[]): AdjudicationResult['rules'] {
  const fired = new Map<string, AdjudicationResult['rules'][number]>();
  for (const { line, rules } of prepared.toSorted((one, other) => one.line.lineNo - other.line.lineNo)) {
    for (const { rule, missing } of rules) {
      const known = fired.get(rule.ruleCode);
      if (known) known.lineNos.push(line.lineNo);
      else
        fired.set(rule.ruleCode, {
          ruleCode: rule.ruleCode,
          ruleName: rule.ruleName,
          outcome: missing.length > 0 ? 'WARN' : rule.outcome,
          lineNos: [line.lineNo],
          missing,
          text: rule.applicantText,
        });
    }
  }
  return [...fired.values()].toSorted((one, other) => (one.ruleCode < other.ruleCode ? -1 : 1));
}
