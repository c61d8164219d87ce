import type { TypedFacts } from '#kernel/contract/rules/groups.ts';
import { yuan } from '#kernel/contract/money.ts';
import { factName, MONTHS_SINCE_FIRST_DOSE, quantityFact } from '../rules/variables.ts';
import { adjudicationReasons, type AdjudicationReason } from '../reasons/codes.ts';
import { capsOf, type Accumulator, type Accumulators, type LineLimits } from './accumulators.ts';
import { lowestCap, type JudgedControl } from './controls.ts';
import { decimalOf, numberOf } from './facts.ts';
import { preExistingOf, refOfRow, why, type Why } from './gates.ts';
import { share } from './integers.ts';
import type { AdjudicationInput, LineInput, OverrideInput } from './input.ts';
import type { Matched } from './matching.ts';
import type { Quantities } from './quantities.ts';
import type { Step, StepCode } from './result.ts';
import type { BenefitSpec, PlanSpec, TierSpec } from './spec.ts';

const money = (fen: number) => `${yuan(fen, true)}元`;

/** What the amounts of a line depend on, besides the balances. */
export interface LineCase {
  input: AdjudicationInput;
  line: LineInput;
  /** Social insurance and other payers, as they fall on this line. */
  social: number;
  other: number;
  plan: PlanSpec | null;
  matched: Matched;
  limits: LineLimits;
  facts: TypedFacts;
  controls: readonly JudgedControl[];
  /** Of the claim as a whole: `CLAIM_PAYABLE`. */
  claimCap: { value: number; by: JudgedControl; left: number } | null;
  overrides: readonly OverrideInput[];
  /** What earlier lines of the claim took, and under which row this one takes. */
  quantities: Quantities;
  rowKey: string;
  /** Whether other payers' amounts count toward the deductible. */
  offsets: boolean;
}

/** A limit of a step, with what it is and who set it. */
interface Limit {
  value: number;
  ref: string;
  text: string;
  reason: Why | null;
  control?: JudgedControl;
}

export interface Waterfall {
  steps: Step[];
  payable: number;
  rateBp: number | null;
  quantity: number;
  socialCounted: number;
  otherCounted: number;
  reasons: Why[];
  /** What would have had to be known. */
  missing: string[];
  /** What control rules took away, by rule. */
  saved: Map<JudgedControl, number>;
}

/** The lowest of the limits; the earlier among equals. */
const lowest = (limits: readonly Limit[]): Limit | null =>
  limits.reduce<Limit | null>((most, one) => (most === null || one.value < most.value ? one : most), null);

export const reasonOfOverride = ({ reasonCode, by }: OverrideInput): Why => ({
  code: reasonCode,
  wording: reasonCode in adjudicationReasons ? `${adjudicationReasons[reasonCode as AdjudicationReason]}（${by}）` : `人工核减（${by}）`,
  ref: 'input:overrides',
});

const limitOfControl = (
  controls: readonly JudgedControl[],
  target: 'QTY' | 'UNIT_PRICE' | 'PAYABLE',
  shown: (value: number) => string,
): Limit[] => {
  const cap = lowestCap(controls, target);
  return cap ? [{ ...controlLimit(cap.by, cap.value), text: `控费规则“${cap.by.control.ruleName}”限${shown(cap.value)}` }] : [];
};
const controlLimit = (by: JudgedControl, value: number): Limit => ({
  value,
  ref: `control:${by.control.ruleVersionId}`,
  text: `控费规则“${by.control.ruleName}”`,
  reason: {
    ...why('L21', `control:${by.control.ruleVersionId}`),
    ...(by.control.applicantText !== '' && { wording: by.control.applicantText }),
  },
  control: by,
});

const limitOfOverride = (overrides: readonly OverrideInput[], kind: OverrideInput['kind'], shown: (value: number) => string): Limit[] =>
  overrides
    .filter((one) => one.kind === kind && one.value !== null)
    .map((one) => ({ value: one.value!, ref: 'input:overrides', text: `人工核减至${shown(one.value!)}`, reason: reasonOfOverride(one) }));

/** Tiers of any month end here. */
const MOST_MONTHS = 999;

const boxes = (milli: number) => `${decimalOf(milli)}个单位`;

/** How the social insurance stands to a line: without one, or where it does not count, the line is outside. */
function socialOf({ input, line, matched: { benefit, row } }: LineCase): TierSpec['social'] {
  if (benefit.socialMode === 'IGNORE' || row?.socialCategory === 'OUTSIDE' || !input.cover.hasSocial) return 'OUTSIDE';
  return line.socialSettled ? 'SETTLED' : 'NOT_SETTLED';
}

interface Rated {
  paid: number;
  rateBp: number | null;
  text: string;
  missing: string[];
}

/** Pieces of an amount on the year's ladder, each at its rate. */
function rated(one: LineCase, amount: number, position: number): Rated {
  const { plan, matched, line, input } = one;
  const { benefit } = matched;
  const social = socialOf(one);
  const known = preExistingOf(input);
  const month = line.monthsSinceFirstDose;
  const ofSocial = (plan?.tiers[benefit.benefitCode] ?? benefit.tiers).filter((tier) => tier.social === 'ANY' || tier.social === social);
  // A person of whom nothing is known is rated as one without the disease, and the line is held up.
  const preExisting = known === true ? 'Y' : 'N';
  const ofPerson = ofSocial.filter((tier) => tier.preExisting === 'ANY' || tier.preExisting === preExisting);
  const asksMonth = month === null && ofPerson.some(({ monthFrom, monthTo }) => monthFrom > 0 || monthTo < MOST_MONTHS);
  const missing = [
    ...(known === null && ofSocial.some((tier) => tier.preExisting !== 'ANY') ? ['claim.firstDiagnosedOn'] : []),
    ...(asksMonth ? [MONTHS_SINCE_FIRST_DOSE] : []),
  ];
  if (asksMonth) return { paid: 0, rateBp: null, text: `缺少变量“${factName(MONTHS_SINCE_FIRST_DOSE)}”，不能确定赔付比例`, missing };
  const tiers = ofPerson
    .filter(({ monthFrom, monthTo }) => monthFrom <= (month ?? 0) && (month ?? 0) <= monthTo)
    .toSorted((a, b) => a.fromFen - b.fromFen);
  const pieces = tiers.flatMap(({ fromFen, toFen, rateBp }) => {
    const piece = Math.min(position + amount, toFen ?? Number.MAX_SAFE_INTEGER) - Math.max(position, fromFen);
    return piece > 0 ? [{ piece, rateBp }] : [];
  });
  const rates = [...new Set(pieces.map(({ rateBp }) => rateBp))];
  return {
    paid: pieces.reduce((sum, { piece, rateBp }) => sum + share(piece, rateBp, 10_000), 0),
    rateBp: rates.length === 1 ? rates[0]! : rates.length === 0 ? 0 : null,
    text: pieces.length === 0 ? '没有适用的赔付比例' : pieces.map(({ piece, rateBp }) => `${money(piece)}×${rateBp / 100}%`).join(' + '),
    missing,
  };
}

/** W01: what is claimed, never more than quantity times price. */
export function claimed({ amountFen, qtyMilli, unitPriceFen }: LineInput): { amount: number; step: Step; reasons: Why[] } {
  const most = share(qtyMilli, unitPriceFen, 1000);
  const after = Math.min(amountFen, most);
  const text = after < amountFen ? `申报${money(amountFen)}高于数量×单价，按${money(after)}计` : `申报${money(amountFen)}`;
  return {
    amount: after,
    step: { code: 'W01', before: amountFen, cut: amountFen - after, after, sourceRef: 'input:lines', text },
    reasons: after < amountFen ? [why('L07', 'input:lines', text)] : [],
  };
}

/** Quantity limits of the drug list, of rules and people. */
function quantityLimits({ line, matched, facts, controls, overrides, quantities, rowKey }: LineCase): {
  limits: Limit[];
  missing: string[];
} {
  const { row } = matched;
  const ref = refOfRow(matched);
  const limits: Limit[] = [];
  const missing: string[] = [];
  if (row && row.maxQtyPerClaimMilli !== null)
    limits.push({
      value: Math.max(0, row.maxQtyPerClaimMilli - quantities.inClaim(rowKey)),
      ref,
      text: `每次限${boxes(row.maxQtyPerClaimMilli)}`,
      reason: why('L06', ref, `每次限${boxes(row.maxQtyPerClaimMilli)}`),
    });
  if (row?.maxQtyPerDays) {
    const { qtyMilli, days } = row.maxQtyPerDays;
    const elsewhere = numberOf(facts, quantityFact(days), 1000);
    if (elsewhere === null) missing.push(quantityFact(days));
    const taken = (elsewhere ?? 0) + quantities.inWindow(line.medicineId, line.serviceDate, days);
    const unknown = elsewhere === null ? `，缺少变量“${factName(quantityFact(days))}”` : '';
    limits.push({
      value: Math.max(0, qtyMilli - taken),
      ref,
      text: `${days}天内限${boxes(qtyMilli)}，已用${boxes(taken)}${unknown}`,
      reason: why('L06', ref, `${days}天内限${boxes(qtyMilli)}`),
    });
  }
  limits.push(...limitOfControl(controls, 'QTY', boxes), ...limitOfOverride(overrides, 'QTY', boxes));
  return { limits: limits.filter(({ value }) => value < line.qtyMilli), missing };
}

/** The steps W03–W14 of a line that no gate stopped; balances are read, and changed by the caller. */
export function waterfall(one: LineCase, start: number, accumulators: Accumulators): Waterfall {
  const { line, social, other, plan, matched, limits, controls, overrides, claimCap } = one;
  const { benefit, row } = matched;
  const ofBenefit = (part: keyof BenefitSpec | string) => `benefit:${benefit.benefitCode}.${part}`;
  const steps: Step[] = [];
  const reasons: Why[] = [];
  const saved = new Map<JudgedControl, number>();
  let x = start;
  const step = (code: StepCode, after: number, sourceRef: string, text: string, reason: Why | null) => {
    const cut = x - after;
    steps.push({ code, before: x, cut, after, sourceRef, text: cut > 0 ? text : '无需调整' });
    if (cut > 0 && reason) reasons.push(reason);
    x = after;
  };
  /** The lowest limit of a step; what a control takes beyond the others is saved by it. */
  const limited = (code: StepCode, all: readonly Limit[], amountAt: (value: number) => number, otherwise: string) => {
    const by = lowest(all);
    if (!by) return step(code, x, otherwise, '', null);
    const after = Math.min(x, amountAt(by.value));
    if (by.control) {
      const without = lowest(all.filter(({ control }) => control === undefined));
      const otherwiseAfter = without ? Math.min(x, amountAt(without.value)) : x;
      saved.set(by.control, (saved.get(by.control) ?? 0) + Math.max(0, otherwiseAfter - after));
    }
    step(code, after, by.ref, by.text, by.reason);
  };

  const quantities = quantityLimits(one);
  const quantity = Math.min(line.qtyMilli, lowest(quantities.limits)?.value ?? line.qtyMilli);
  limited('W03', quantities.limits, (value) => share(x, Math.min(value, line.qtyMilli), line.qtyMilli), refOfRow(matched));

  const prices: Limit[] = [
    {
      value: line.unitPriceFen,
      ref: refOfRow(matched),
      text: `按核定数量×单价${money(line.unitPriceFen)}计`,
      reason: why('L06', refOfRow(matched), '按核定数量×单价计'),
    },
    ...(row && row.maxUnitPriceFen !== null
      ? [
          {
            value: row.maxUnitPriceFen,
            ref: refOfRow(matched),
            text: `单价限${money(row.maxUnitPriceFen)}`,
            reason: why('L07', refOfRow(matched), `单价限${money(row.maxUnitPriceFen)}`),
          },
        ]
      : []),
    ...limitOfControl(controls, 'UNIT_PRICE', money),
    ...limitOfOverride(overrides, 'UNIT_PRICE', money),
  ];
  limited('W04', prices, (value) => share(quantity, value, 1000), refOfRow(matched));

  const socialShare = benefit.socialMode === 'IGNORE' ? 0 : share(social, quantity, line.qtyMilli);
  const socialCounted = Math.min(x, socialShare);
  step('W05', x - socialCounted, ofBenefit('socialMode'), `扣除医保已付${money(socialShare)}`, why('L08', 'input:lines'));

  const otherShare = share(other, quantity, line.qtyMilli);
  const otherCounted = Math.min(x, otherShare);
  step('W06', x - otherCounted, 'input:lines', `扣除其他补偿${money(otherShare)}`, why('L09', 'input:lines'));

  const { deductible } = limits;
  if (deductible) {
    const group = `group:${benefit.deductibleGroup}`;
    const left = accumulators.left(deductible);
    const offsets = one.offsets ? Math.min(otherShare, left) : 0;
    const remaining = left - offsets;
    const cut = Math.min(x, remaining);
    const offset = offsets > 0 ? `，其他补偿抵扣${money(offsets)}` : '';
    step('W07', x - cut, group, `免赔额剩余${money(left)}${offset}，扣${money(cut)}`, why('L10', group, `剩余免赔额${money(remaining)}`));
    accumulators.add(deductible, cut + offsets);
  } else step('W07', x, ofBenefit('deductibleGroup'), '', null);

  const base = x;
  const rate = rated(one, base, accumulators.used(limits.ladder));
  step('W08', rate.paid, ofBenefit('tiers'), rate.text, why('L11', ofBenefit('tiers'), rate.text));
  accumulators.add(limits.ladder, base);

  const caps = capsOf(plan, benefit);
  const leftOf = (of: Accumulator | null, ref: string, name: string, code: AdjudicationReason): Limit[] =>
    of && of.limit !== null
      ? [
          {
            value: accumulators.left(of),
            ref,
            text: `${name}${money(of.limit)}，剩余${money(accumulators.left(of))}`,
            reason: why(code, ref, `${name}${money(of.limit)}，剩余${money(accumulators.left(of))}`),
          },
        ]
      : [];
  const plain = (value: number) => value;
  limited(
    'W09',
    [
      ...(caps.perLineFen === null
        ? []
        : [
            {
              value: caps.perLineFen,
              ref: ofBenefit('caps.perLineFen'),
              text: `单项限额${money(caps.perLineFen)}`,
              reason: why('L12', ofBenefit('caps.perLineFen'), `单项限额${money(caps.perLineFen)}`),
            },
          ]),
      ...leftOf(limits.itemYear, ofBenefit('caps.perItemYearFen'), '单药年限额', 'L12'),
    ],
    plain,
    ofBenefit('caps'),
  );
  limited('W10', leftOf(limits.claim, ofBenefit('caps.perClaimFen'), '每次限额', 'L13'), plain, ofBenefit('caps'));
  limited(
    'W11',
    [
      ...leftOf(limits.paid, ofBenefit('caps.perYearFen'), '责任年限额', 'L14'),
      ...leftOf(limits.lifetime, ofBenefit('caps.lifetimeFen'), '终身限额', 'L14'),
    ],
    plain,
    ofBenefit('caps'),
  );
  limited(
    'W12',
    [
      ...limits.groups.flatMap(({ group, of }) => leftOf(of, `group:${group.groupCode}`, `共享限额“${group.groupName}”`, 'L15')),
      ...(plan ? leftOf(limits.sum, `plan:${plan.planCode}.sumInsuredFen`, `计划“${plan.planName}”保额`, 'L15') : []),
    ],
    plain,
    ofBenefit('ceilingGroups'),
  );
  limited(
    'W13',
    [
      ...limitOfControl(controls, 'PAYABLE', money),
      ...(claimCap
        ? [{ ...controlLimit(claimCap.by, claimCap.left), text: `控费规则“${claimCap.by.control.ruleName}”整案限${money(claimCap.value)}` }]
        : []),
    ],
    plain,
    'controls',
  );
  limited('W14', limitOfOverride(overrides, 'AMOUNT', money), plain, 'input:overrides');

  for (const of of [limits.itemYear, limits.claim, limits.paid, limits.lifetime, ...limits.groups.map((group) => group.of), limits.sum])
    if (of) accumulators.add(of, x);
  const missing = [...quantities.missing, ...rate.missing];
  return { steps, payable: x, rateBp: rate.rateBp, quantity, socialCounted, otherCounted, reasons, missing, saved };
}
