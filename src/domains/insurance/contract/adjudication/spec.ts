import * as z from 'zod/mini';
import { day } from '#kernel/contract/fields.ts';
import { completeGroup } from '#kernel/contract/rules/groups.ts';

/** Fen, thousandths and days in the engine are safe integers: 10,000,000,000 yuan is the most. */
const MOST = 1_000_000_000_000;
const amount = z.int().check(z.minimum(0), z.maximum(MOST));
const limit = z.nullable(amount);
const code = z.string().check(z.minLength(1), z.maxLength(64));
const codes = z.array(code);

export const tierSpec = z.strictObject({
  social: z.enum(['SETTLED', 'NOT_SETTLED', 'OUTSIDE', 'ANY']),
  preExisting: z.enum(['Y', 'N', 'ANY']),
  monthFrom: z.int(),
  monthTo: z.int(),
  fromFen: amount,
  toFen: limit,
  rateBp: z.int().check(z.minimum(0), z.maximum(10_000)),
});
export type TierSpec = z.output<typeof tierSpec>;

export const capsSpec = z.strictObject({
  perLineFen: limit,
  perItemYearFen: limit,
  perClaimFen: limit,
  perYearFen: limit,
  lifetimeFen: limit,
  timesPerYear: z.nullable(z.int().check(z.minimum(0))),
});
export type CapsSpec = z.output<typeof capsSpec>;

export const benefitSpec = z.strictObject({
  benefitCode: code,
  benefitName: z.string(),
  claimTypes: codes,
  priority: z.int(),
  formularyId: z.nullable(z.string()),
  formularyMode: z.enum(['PINNED', 'BY_SERVICE_DATE']),
  formularyVersionId: z.nullable(z.string()),
  /** Ids of medicines; empty: all of the list. */
  drugScope: codes,
  /** ICD-10 prefixes; empty: any. */
  diseasePrefixes: codes,
  waitingDays: z.int(),
  waitingEffect: z.enum(['PERIOD', 'DISEASE']),
  preExistingMode: z.enum(['COVER', 'EXCLUDE']),
  socialMode: z.enum(['DEDUCT', 'REQUIRED', 'IGNORE']),
  deductibleGroup: z.nullable(code),
  ceilingGroups: codes,
  caps: capsSpec,
  tiers: z.array(tierSpec),
});
export type BenefitSpec = z.output<typeof benefitSpec>;

export const groupSpec = z.strictObject({
  groupCode: code,
  groupName: z.string(),
  kind: z.enum(['DEDUCTIBLE', 'CEILING']),
  period: z.enum(['CLAIM', 'YEAR', 'LIFE']),
  subject: z.enum(['PERSON', 'FAMILY']),
  amountFen: amount,
  otherPayOffsets: z.boolean(),
  /** Of a rider's group that is shared: whose purse it is. */
  account: z.optional(z.strictObject({ productId: z.string(), groupCode: code })),
});
export type GroupSpec = z.output<typeof groupSpec>;

export const planSpec = z.strictObject({
  planCode: code,
  planName: z.string(),
  sumInsuredFen: limit,
  /** What the plan sets otherwise than the version. */
  groupAmounts: z.record(code, amount),
  caps: z.record(code, z.partial(capsSpec)),
  tiers: z.record(code, z.array(tierSpec)),
});
export type PlanSpec = z.output<typeof planSpec>;

export const lineSpec = z.strictObject({
  medicineId: code,
  genericName: z.string(),
  brandName: z.string(),
  indicationCode: z.string(),
  indicationText: z.string(),
  icd10Prefixes: codes,
  geneRequirement: z.string(),
  socialCategory: z.enum(['INSIDE', 'OUTSIDE', 'NEGOTIATED']),
  maxUnitPriceFen: limit,
  maxQtyPerClaimMilli: limit,
  maxQtyPerDays: z.nullable(z.strictObject({ qtyMilli: amount, days: z.int() })),
  minIntervalDays: z.nullable(z.int()),
});
export type LineSpec = z.output<typeof lineSpec>;

export const formularySpec = z.strictObject({
  formularyId: z.string(),
  formularyVersionId: z.string(),
  formularyName: z.string(),
  versionNo: z.int(),
  effectiveFrom: day,
  effectiveTo: z.nullable(day),
  lines: z.array(lineSpec),
});
export type FormularySpec = z.output<typeof formularySpec>;

export const claimRuleSpec = z.strictObject({
  ruleCode: code,
  ruleName: z.string(),
  benefitCodes: codes,
  claimTypes: codes,
  expression: completeGroup,
  outcome: z.enum(['REJECT_LINE', 'REJECT_CLAIM', 'REQUIRE_MATERIAL', 'HOLD', 'WARN']),
  materialTypes: codes,
  reasonCode: z.nullable(z.string()),
  applicantText: z.string(),
  priority: z.int(),
});
export type ClaimRuleSpec = z.output<typeof claimRuleSpec>;

/** Everything of a version that decides about money, frozen; the versions of its drug lists with it. */
export const versionSpec = z.strictObject({
  productId: z.string(),
  productCode: z.string(),
  productName: z.string(),
  productVersionId: z.string(),
  versionNo: z.int(),
  contentHash: z.string(),
  claimWindowDays: z.int(),
  plans: z.array(planSpec),
  groups: z.array(groupSpec),
  benefits: z.array(benefitSpec),
  formularies: z.array(formularySpec),
  rules: z.array(claimRuleSpec),
});
export type VersionSpec = z.output<typeof versionSpec>;

export const controlModes = ['MONITOR', 'WARN', 'CAP', 'HOLD', 'REJECT'] as const;
export type ControlMode = (typeof controlModes)[number];
export const capTargets = ['QTY', 'UNIT_PRICE', 'PAYABLE', 'CLAIM_PAYABLE'] as const;
export type CapTarget = (typeof capTargets)[number];

/** A quantity is in thousandths, the other targets in fen. */
export const capSpec = z.strictObject({
  target: z.enum(capTargets),
  value: limit,
  variable: z.nullable(z.string()),
  factorBp: z.nullable(z.int().check(z.minimum(0), z.maximum(1_000_000))),
});
export type CapSpec = z.output<typeof capSpec>;

export const controlSpec = z.strictObject({
  moduleCode: code,
  observeOnly: z.boolean(),
  ruleCode: code,
  ruleName: z.string(),
  ruleVersionId: z.string(),
  mode: z.enum(controlModes),
  expression: completeGroup,
  cap: z.nullable(capSpec),
  reasonCode: z.nullable(z.string()),
  applicantText: z.string(),
});
export type ControlSpec = z.output<typeof controlSpec>;
