import type { AdjudicationInput, LineInput } from '../adjudication/input.ts';
import type { BenefitSpec, ControlSpec, GroupSpec, LineSpec, TierSpec, VersionSpec } from '../adjudication/spec.ts';

// Small contracts and claims, of which a test says only what it is about.

export const tier = (rateBp: number, other: Partial<TierSpec> = {}): TierSpec => ({
  social: 'ANY',
  preExisting: 'ANY',
  monthFrom: 0,
  monthTo: 999,
  fromFen: 0,
  toFen: null,
  rateBp,
  ...other,
});

const noCaps: BenefitSpec['caps'] = {
  perLineFen: null,
  perItemYearFen: null,
  perClaimFen: null,
  perYearFen: null,
  lifetimeFen: null,
  timesPerYear: null,
};

export const benefit = ({
  caps,
  ...other
}: Partial<Omit<BenefitSpec, 'caps'>> & { caps?: Partial<BenefitSpec['caps']> } = {}): BenefitSpec => ({
  benefitCode: 'OUT_DRUG',
  benefitName: '院外特药费用',
  claimTypes: ['REIMBURSE', 'DIRECT'],
  priority: 1,
  formularyId: 'F',
  formularyMode: 'PINNED',
  formularyVersionId: 'F1',
  drugScope: [],
  diseasePrefixes: [],
  waitingDays: 0,
  waitingEffect: 'PERIOD',
  preExistingMode: 'COVER',
  socialMode: 'DEDUCT',
  deductibleGroup: null,
  ceilingGroups: [],
  tiers: [tier(10_000)],
  ...other,
  caps: { ...noCaps, ...caps },
});

export const group = (groupCode: string, amountFen: number, other: Partial<GroupSpec> = {}): GroupSpec => ({
  groupCode,
  groupName: groupCode,
  kind: 'DEDUCTIBLE',
  period: 'YEAR',
  subject: 'PERSON',
  amountFen,
  otherPayOffsets: false,
  ...other,
});

export const listed = (medicineId: string, other: Partial<LineSpec> = {}): LineSpec => ({
  medicineId,
  genericName: `药品${medicineId}`,
  brandName: '',
  indicationCode: 'I',
  indicationText: '适应症',
  icd10Prefixes: [],
  geneRequirement: '',
  socialCategory: 'INSIDE',
  maxUnitPriceFen: null,
  maxQtyPerClaimMilli: null,
  maxQtyPerDays: null,
  minIntervalDays: null,
  ...other,
});

export const version = ({
  rows = [listed('A'), listed('B')],
  ...other
}: Partial<VersionSpec> & { rows?: LineSpec[] } = {}): VersionSpec => ({
  productId: '1',
  productCode: 'SPD-2026',
  productName: '特药险',
  productVersionId: '11',
  versionNo: 1,
  contentHash: 'hash',
  claimWindowDays: 180,
  plans: [{ planCode: 'P1', planName: '基础版', sumInsuredFen: null, groupAmounts: {}, caps: {}, tiers: {} }],
  groups: [],
  benefits: [benefit()],
  formularies: [
    {
      formularyId: 'F',
      formularyVersionId: 'F1',
      formularyName: '特药目录',
      versionNo: 1,
      effectiveFrom: '2020-01-01',
      effectiveTo: null,
      lines: rows,
    },
  ],
  rules: [],
  ...other,
});

export const line = (lineNo: number, other: Partial<LineInput> = {}): LineInput => ({
  lineNo,
  medicineId: 'A',
  serviceDate: '2026-06-01',
  qtyMilli: 1000,
  unitPriceFen: 10_000,
  amountFen: 10_000,
  socialSettled: true,
  socialPaidFen: null,
  otherPaidFen: null,
  monthsSinceFirstDose: null,
  facts: {},
  ...other,
});

/** A line of so many units at a price, claimed as their product. */
export const boxes = (lineNo: number, medicineId: string, units: number, unitPriceFen: number, other: Partial<LineInput> = {}): LineInput =>
  line(lineNo, { medicineId, qtyMilli: units * 1000, unitPriceFen, amountFen: units * unitPriceFen, ...other });

export const claimOf = (
  lines: LineInput[],
  {
    claim,
    cover,
    ...other
  }: Partial<Omit<AdjudicationInput, 'claim' | 'cover'>> & {
    claim?: Partial<AdjudicationInput['claim']>;
    cover?: Partial<AdjudicationInput['cover']>;
  } = {},
): AdjudicationInput => ({
  at: '2026-06-10T02:00:00.000Z',
  stage: 'CLAIM',
  lines,
  balances: {},
  countedDays: {},
  facts: {},
  overrides: [],
  ...other,
  claim: {
    claimType: 'REIMBURSE',
    submittedOn: '2026-06-10',
    firstDiagnosedOn: '2026-05-01',
    icd10: ['C34.1'],
    hospitalId: '1',
    hospitalInScope: true,
    materials: [],
    socialPaidFen: null,
    otherPaidFen: null,
    ...claim,
  },
  cover: {
    planCode: 'P1',
    coverageStart: '2026-01-01',
    coverageEnd: '2026-12-31',
    continuousFrom: '2026-01-01',
    hasSocial: true,
    preExistingIcd: [],
    personId: '7',
    familySubjectId: null,
    ...cover,
  },
});

export const control = (ruleCode: string, other: Partial<ControlSpec> = {}): ControlSpec => ({
  moduleCode: 'M1',
  observeOnly: false,
  ruleCode,
  ruleName: `规则${ruleCode}`,
  ruleVersionId: `V-${ruleCode}`,
  mode: 'MONITOR',
  expression: { op: 'AND', items: [{ variable: 'line.qty', operator: '>', value: '0' }] },
  cap: null,
  reasonCode: null,
  applicantText: '',
  ...other,
});
