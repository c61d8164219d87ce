import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { field } from '#kernel/contract/field.ts';
import { controlModes } from './spec.ts';

/** Increased with every change that can change an amount. */
export const ENGINE_VERSION = '2.0';

export const waterfallSteps = dictionary('insurance.waterfallStep', {
  W01: '申报金额',
  W02: '责任内金额',
  W03: '数量限制',
  W04: '限价',
  W05: '医保已付',
  W06: '其他补偿',
  W07: '免赔额',
  W08: '赔付比例',
  W09: '单项限额',
  W10: '次限额',
  W11: '责任年限额',
  W12: '共享保额',
  W13: '控费限额',
  W14: '人工核减',
});
export type StepCode = (typeof waterfallSteps.codes)[number];

export const adjudicationOutcomes = dictionary('insurance.adjudicationOutcome', {
  PAY: { label: '赔付', tone: 'success' },
  PARTIAL: { label: '部分赔付', tone: 'success' },
  REJECT: { label: '不赔', tone: 'error' },
  SUPPLEMENT: { label: '补件', tone: 'warning' },
  HOLD: { label: '挂起', tone: 'processing' },
});
export type AdjudicationOutcome = (typeof adjudicationOutcomes.codes)[number];

export const reasonSeen = z.strictObject({ code: z.string(), wording: z.string() });
export type Reason = z.output<typeof reasonSeen>;

export const stepSeen = z.strictObject({
  code: waterfallSteps.schema,
  before: field('之前', z.int()),
  cut: field('减少', z.int()),
  after: field('之后', z.int()),
  /** Which part of the contract, control or input decided: `benefit:OUT_DRUG.perYearFen`. */
  sourceRef: z.string(),
  text: field('说明', z.string()),
});
export type Step = z.output<typeof stepSeen>;

export const lineSeen = z.strictObject({
  lineNo: z.int(),
  medicineId: z.string(),
  medicineName: z.string(),
  benefitCode: z.nullable(z.string()),
  benefitName: z.nullable(z.string()),
  formularyVersionId: z.nullable(z.string()),
  rateBp: z.nullable(z.int()),
  qtyMilli: z.int(),
  amountFen: z.int(),
  payableFen: z.int(),
  socialCountedFen: z.int(),
  otherCountedFen: z.int(),
  outcome: adjudicationOutcomes.schema,
  /** What would have had to be known: the amount is worked out without it, and the line is held up. */
  missing: z._default(z.array(z.string()), []),
  reasons: z.array(reasonSeen),
  steps: z.array(stepSeen),
});
export type LineResult = z.output<typeof lineSeen>;

export const moveSeen = z.strictObject({
  key: z.string(),
  subjectId: z.string(),
  period: z.string(),
  delta: z.int(),
  /** Of a number of times: the service days that are counted with it. */
  days: z.optional(z.readonly(z.array(z.string()))),
});
export type Move = z.output<typeof moveSeen>;

/** A control rule that held, or one that could not be judged. */
export const hitSeen = z.strictObject({
  ruleVersionId: z.string(),
  ruleCode: z.string(),
  ruleName: z.string(),
  moduleCode: z.string(),
  /** Null: about the claim as a whole. */
  lineNo: z.nullable(z.int()),
  mode: z.enum(controlModes),
  /** What the rule would have done if its module did not only observe, or if nothing had been missing. */
  intendedMode: z.enum(controlModes),
  missing: z.array(z.string()),
  savedFen: z.int(),
});
export type Hit = z.output<typeof hitSeen>;

export const ruleFired = z.strictObject({
  ruleCode: z.string(),
  ruleName: z.string(),
  outcome: z.string(),
  lineNos: z.array(z.int()),
  /** Variables without a value: the rule could not be judged, and only hints. */
  missing: z.array(z.string()),
  text: z.string(),
});

export const adjudicationResult = z.strictObject({
  engineVersion: z.string(),
  contentHash: z.string(),
  inputHash: z.string(),
  productVersionId: z.string(),
  versionNo: z.int(),
  outcome: adjudicationOutcomes.schema,
  claimedFen: z.int(),
  payableFen: z.int(),
  lines: z.array(lineSeen),
  moves: z.array(moveSeen),
  hits: z.array(hitSeen),
  rules: z.array(ruleFired),
  materials: z.array(z.string()),
});
export type AdjudicationResult = z.output<typeof adjudicationResult>;
