import type { ClaimType, ProductLine, ProductType } from '../../contract/businessLines.ts';
import type { Benefit, BenefitTier, LimitGroup, Plan, PlanRate, Right, VersionDocument } from '../../contract/model/document.ts';
import { defaultEnrolConfig, type EnrolConfig } from '../../contract/model/enrolConfig.ts';
import type { ProductState } from '../../contract/products/states.ts';
import type { DemoLists, ListKey } from './lists.ts';

export const tier = (rateBp: number, other: Partial<BenefitTier> = {}): BenefitTier => ({
  social: 'ANY',
  preExisting: 'ANY',
  monthFrom: 0,
  monthTo: 999,
  fromFen: 0,
  toFen: null,
  rateBp,
  ...other,
});
export const group = (groupCode: string, groupName: string, amountFen: number, other: Partial<LimitGroup> = {}): LimitGroup => ({
  groupCode,
  groupName,
  kind: 'DEDUCTIBLE',
  period: 'YEAR',
  subject: 'PERSON',
  amountFen,
  otherPayOffsets: false,
  ...other,
});
export const right = (rightCode: string, rightName: string, kind: Right['kind'], other: Partial<Right> = {}): Right => ({
  rightCode,
  rightName,
  kind,
  entitlementDefId: null,
  amountFen: null,
  timesPerYear: null,
  requiredMaterials: ['PRESCRIPTION', 'DIAGNOSIS'],
  occurrenceKey: 'PER_DRUG',
  drugIds: [],
  ...other,
});
export const rates = (...steps: readonly [from: number, to: number, fen: number][]): PlanRate[] =>
  steps.map(([ageFrom, ageTo, annualPremiumFen]) => ({ gender: 'ANY', social: 'ANY', ageFrom, ageTo, annualPremiumFen }));
export const plan = (planCode: string, planName: string, sumInsuredFen: number, of: PlanRate[], other: Partial<Plan> = {}): Plan => ({
  planCode,
  planName,
  sumInsuredFen,
  ageMin: of[0]!.ageFrom,
  ageMax: of.at(-1)!.ageTo,
  socialRequired: 'ANY',
  overrides: { groups: {}, benefits: {} },
  rates: of,
  ...other,
});

/** A rule of a version as the demonstration writes it. */
export interface DemoRule {
  code: string;
  name: string;
  type: 'ELIGIBILITY' | 'MATERIAL' | 'MEDICAL' | 'AMOUNT';
  when: readonly [variable: string, operator: string, value: string][];
  outcome: 'REJECT_LINE' | 'REQUIRE_MATERIAL' | 'HOLD' | 'WARN';
  reason?: string;
  materials?: readonly string[];
  applicantText: string;
}
export const tooMuch: DemoRule = {
  code: 'QTY_MAX',
  name: '单次数量上限',
  type: 'AMOUNT',
  when: [['line.qty', '>', '12']],
  outcome: 'REJECT_LINE',
  reason: 'L06',
  applicantText: '单次购药数量超过12个单位，不予赔付',
};
export const late: DemoRule = {
  code: 'LATE_HOLD',
  name: '临近时限提交转人工',
  type: 'ELIGIBILITY',
  when: [['claim.delayDays', '>', '120']],
  outcome: 'HOLD',
  applicantText: '距购药已超过120天，由人工核实',
};
export const gene: DemoRule = {
  code: 'GENE_TEST',
  name: '靶向药须有基因检测报告',
  type: 'MATERIAL',
  when: [
    ['line.geneRequired', '=', '1'],
    ['claim.materials', 'not contains', 'GENE_TEST'],
  ],
  outcome: 'REQUIRE_MATERIAL',
  materials: ['GENE_TEST'],
  applicantText: '请补充基因检测报告',
};
export const high: DemoRule = {
  code: 'HIGH_WARN',
  name: '大额案件提示',
  type: 'AMOUNT',
  when: [['claim.amount', '>=', '5000000']],
  outcome: 'WARN',
  applicantText: '申报金额较大，请核对票据',
};

export type VersionFate = 'EXPIRED' | 'IN_FORCE' | 'WAITING' | 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'WITHDRAWN';

export interface DemoProduct {
  code: string;
  name: string;
  short: string;
  line: ProductLine;
  type: ProductType;
  insurer?: number;
  sponsor?: string;
  pharma?: string;
  adcodes?: readonly string[];
  status: ProductState;
  fates: readonly VersionFate[];
  claimTypes: readonly ClaimType[];
  list: ListKey;
  rules: readonly DemoRule[];
  /** What a version says beside its frame; `no` counts from 1. */
  says(
    no: number,
    lists: DemoLists,
  ): {
    plans: Plan[];
    groups: LimitGroup[];
    benefits: (Partial<Benefit> & Pick<Benefit, 'benefitCode' | 'benefitName' | 'tiers'>)[];
    rights: Right[];
  };
  enrol?: Partial<EnrolConfig>;
}

export const WUHAN = '420100';

const blankBenefit: Omit<Benefit, 'benefitCode' | 'benefitName' | 'tiers' | 'claimTypes' | 'formularyId' | 'formularyVersionId'> = {
  priority: 1,
  formularyMode: 'PINNED',
  drugScope: [],
  diseasePrefixes: [],
  waitingDays: 0,
  waitingEffect: 'PERIOD',
  preExistingMode: 'EXCLUDE',
  socialMode: 'DEDUCT',
  deductibleGroup: null,
  ceilingGroups: [],
  perLineFen: null,
  perItemYearFen: null,
  perClaimFen: null,
  perYearFen: null,
  lifetimeFen: null,
  timesPerYear: null,
};
const claimNames: Readonly<Record<ClaimType, string>> = {
  DIRECT: '药店直付',
  REIMBURSE: '事后报销',
  CARD: '刷卡核销',
  OUTCOME_REFUND: '疗效退费',
};

/** The whole document of a version of the demonstration. */
export function documentOfDemo(
  product: DemoProduct,
  no: number,
  dates: { from: string; to: string | null },
  lists: DemoLists,
): Omit<VersionDocument, 'clauseFileId'> {
  const { plans, groups, benefits, rights } = product.says(no, lists);
  const { id, versions } = lists.lists[product.list];
  // Later versions pin later lists; by date where the list may change in the middle of a year.
  const pinned = versions[Math.min(no, versions.length) - 1]!;
  const byDate = product.line === 'SAAS';
  return {
    effectiveFrom: dates.from,
    effectiveTo: dates.to,
    filingNo: `C${dates.from.slice(0, 4)}${product.code.replaceAll('-', '')}${String(no).padStart(2, '0')}`,
    claimTypes: product.claimTypes.map((claimType) => ({
      claimType,
      label: claimNames[claimType],
      materials: claimType === 'REIMBURSE' ? ['PRESCRIPTION', 'DIAGNOSIS', 'BANK_CARD'] : ['PRESCRIPTION'],
      slaWorkdays: claimType === 'DIRECT' || claimType === 'CARD' ? 2 : 5,
    })),
    claimWindowDays: 180,
    regionsAllowed: [],
    hospitalScope: product.line === 'STANDARD' ? 'GRADE2' : 'ANY',
    hospitalIds: [],
    drugstoreIds: [],
    enrolConfig: { ...defaultEnrolConfig, ...product.enrol },
    gapNote: '',
    plans,
    limitGroups: groups,
    benefits: benefits.map((one) => ({
      ...blankBenefit,
      claimTypes: [...product.claimTypes],
      formularyId: id,
      ...(byDate ? { formularyMode: 'BY_SERVICE_DATE' as const, formularyVersionId: null } : { formularyVersionId: pinned }),
      ...one,
    })),
    rights,
  };
}
