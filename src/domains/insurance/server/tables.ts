// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface InsuranceBenefit {
  id: GeneratedAlways<string>;
  productVersionId: string;
  benefitCode: string;
  benefitName: string;
  claimTypes: string[];
  priority: number;
  formularyId: string | null;
  formularyMode: 'PINNED' | 'BY_SERVICE_DATE';
  formularyVersionId: string | null;
  drugScope: Generated<string[]>;
  diseasePrefixes: Generated<string[]>;
  waitingDays: number;
  waitingEffect: 'PERIOD' | 'DISEASE';
  preExistingMode: 'COVER' | 'EXCLUDE';
  socialMode: 'DEDUCT' | 'REQUIRED' | 'IGNORE';
  deductibleGroup: string | null;
  ceilingGroups: Generated<string[]>;
  perLineFen: string | null;
  perItemYearFen: string | null;
  perClaimFen: string | null;
  perYearFen: string | null;
  lifetimeFen: string | null;
  timesPerYear: number | null;
}

export interface InsuranceBenefitTier {
  id: GeneratedAlways<string>;
  benefitId: string;
  social: 'SETTLED' | 'NOT_SETTLED' | 'OUTSIDE' | 'ANY';
  preExisting: 'Y' | 'N' | 'ANY';
  monthFrom: number;
  monthTo: number;
  fromFen: string;
  toFen: string | null;
  rateBp: number;
}

export interface InsuranceClaimRule {
  id: GeneratedAlways<string>;
  productVersionId: string;
  ruleCode: string;
  ruleName: string;
  ruleType: 'ELIGIBILITY' | 'MATERIAL' | 'MEDICAL' | 'AMOUNT';
  benefitCodes: Generated<string[]>;
  claimTypes: Generated<string[]>;
  expression: ColumnType<unknown, string, string>;
  outcome: 'REJECT_LINE' | 'REJECT_CLAIM' | 'REQUIRE_MATERIAL' | 'HOLD' | 'WARN';
  materialTypes: Generated<string[]>;
  reasonCode: string | null;
  applicantText: Generated<string>;
  internalNote: Generated<string>;
  priority: number;
  enabled: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceClaimSnapshot {
  id: GeneratedAlways<string>;
  claimId: string;
  round: number;
  claimNo: string;
  insurerId: string | null;
  productId: string;
  productVersionId: string;
  input: ColumnType<unknown, string, string>;
  result: ColumnType<unknown, string, string>;
  decidedAt: string;
  paidFen: string;
}

export interface InsuranceControlHit {
  id: GeneratedAlways<string>;
  evaluationId: string;
  ruleVersionId: string;
  controlRuleId: string;
  lineNo: number;
  claimId: string;
  stage: string;
  mode: 'MONITOR' | 'WARN' | 'CAP' | 'HOLD' | 'REJECT';
  trace: ColumnType<unknown, string, string>;
  savedFen: string;
  at: string;
  overturned: Generated<boolean>;
  overturnedAt: string | null;
}

export interface InsuranceControlModule {
  id: GeneratedAlways<string>;
  moduleCode: string;
  moduleName: string;
  stage: 'ENROL' | 'DIRECT' | 'CLAIM' | 'PAY';
  insurerIds: Generated<string[]>;
  productLines: Generated<string[]>;
  productIds: Generated<string[]>;
  observeOnly: Generated<boolean>;
  ownerUserId: string | null;
  sort: number;
  enabled: Generated<boolean>;
  remark: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceControlRule {
  id: GeneratedAlways<string>;
  ruleCode: string;
  moduleId: string;
  createdAt: string;
  createdBy: string | null;
}

export interface InsuranceControlRuleVersion {
  id: GeneratedAlways<string>;
  controlRuleId: string;
  versionNo: number;
  ruleName: string;
  mode: 'MONITOR' | 'WARN' | 'CAP' | 'HOLD' | 'REJECT';
  expression: ColumnType<unknown, string, string>;
  expressionHash: string;
  cap: ColumnType<unknown, string | null | undefined, string | null>;
  reasonCode: string | null;
  applicantText: Generated<string>;
  internalNote: Generated<string>;
  effectiveFrom: string;
  effectiveTo: string | null;
  gapNote: Generated<string>;
  changeNote: Generated<string>;
  state: 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'PUBLISHED' | 'PAUSED' | 'WITHDRAWN';
  runningSince: string | null;
  pausedFrom: string | null;
  makerId: string | null;
  checkerId: string | null;
  submittedAt: string | null;
  publishedAt: string | null;
  contentHash: string | null;
  closedPredecessorId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceEntitlementDef {
  id: GeneratedAlways<string>;
  entitlementCode: string;
  versionNo: number;
  kind: 'COUPON' | 'BENEFIT_CARD' | 'STORED_VALUE';
  name: string;
  couponRule: ColumnType<unknown, string | null | undefined, string | null>;
  stored: ColumnType<unknown, string | null | undefined, string | null>;
  services: ColumnType<unknown, string | null | undefined, string | null>;
  scope: ColumnType<unknown, string, string>;
  validity: ColumnType<unknown, string, string>;
  stacking: ColumnType<unknown, string, string>;
  transferable: Generated<boolean>;
  refundRule: 'RESTORE' | 'NONE';
  costBearer: 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM';
  perPersonLimit: number | null;
  effectiveFrom: string;
  effectiveTo: string | null;
  gapNote: Generated<string>;
  changeNote: Generated<string>;
  state: 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'PUBLISHED' | 'WITHDRAWN';
  makerId: string | null;
  checkerId: string | null;
  submittedAt: string | null;
  publishedAt: string | null;
  contentHash: string | null;
  closedPredecessorId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceEntitlementPin {
  id: GeneratedAlways<string>;
  entitlementDefId: string;
  refType: string;
  refId: string;
  createdAt: string;
}

export interface InsuranceFormulary {
  id: GeneratedAlways<string>;
  formularyCode: string;
  name: string;
  insurerId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceFormularyLine {
  id: GeneratedAlways<string>;
  formularyVersionId: string;
  medicineId: string;
  medicineNo: string;
  genericName: string;
  brandName: Generated<string>;
  spec: Generated<string>;
  manufacturer: Generated<string>;
  indicationCode: string;
  indicationText: string;
  icd10Prefixes: Generated<string[]>;
  lineOfTherapy: Generated<string>;
  geneRequirement: Generated<string>;
  socialCategory: 'INSIDE' | 'OUTSIDE' | 'NEGOTIATED';
  maxUnitPriceFen: string | null;
  agreementPrices: ColumnType<unknown, string | undefined, string>;
  maxQtyPerClaimMilli: string | null;
  maxQtyPerDaysMilli: string | null;
  maxQtyDays: number | null;
  minIntervalDays: number | null;
  dailyDoseMilli: string | null;
  charityPayMonths: number | null;
  charityFreeMonths: number | null;
  directPay: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceFormularyVersion {
  id: GeneratedAlways<string>;
  formularyId: string;
  versionNo: number;
  effectiveFrom: string;
  effectiveTo: string | null;
  gapNote: Generated<string>;
  changeNote: Generated<string>;
  state: 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'PUBLISHED' | 'WITHDRAWN';
  makerId: string | null;
  checkerId: string | null;
  submittedAt: string | null;
  publishedAt: string | null;
  contentHash: string | null;
  closedPredecessorId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceInsurer {
  id: GeneratedAlways<string>;
  insurerCode: string;
  insurerName: string;
  shortName: string;
  namePinyin: string;
  insurerType: 'PROPERTY' | 'LIFE' | 'HEALTH' | 'PENSION';
  uscc: string;
  licenceNo: Generated<string>;
  contacts: ColumnType<unknown, string | undefined, string>;
  auditMode: 'PLATFORM' | 'PLATFORM_THEN_INSURER';
  secondReviewFen: string | null;
  listLayout: Generated<string[]>;
  fundMode: 'ADVANCE' | 'PREPAID' | 'INSURER_PAYS';
  invoiceVariant: 'STANDARD' | 'ZA';
  status: 'ENABLED' | 'DISABLED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceLimitGroup {
  id: GeneratedAlways<string>;
  productVersionId: string;
  groupCode: string;
  groupName: string;
  kind: 'DEDUCTIBLE' | 'CEILING';
  period: 'CLAIM' | 'YEAR' | 'LIFE';
  subject: 'PERSON' | 'FAMILY';
  amountFen: string;
  otherPayOffsets: Generated<boolean>;
}

export interface InsurancePlan {
  id: GeneratedAlways<string>;
  productVersionId: string;
  planCode: string;
  planName: string;
  sumInsuredFen: string;
  ageMin: number;
  ageMax: number;
  socialRequired: 'ANY' | 'YES' | 'NO';
  overrides: ColumnType<unknown, string | undefined, string>;
  sort: number;
}

export interface InsurancePlanRate {
  id: GeneratedAlways<string>;
  planId: string;
  gender: 'ANY' | 'M' | 'F';
  social: 'ANY' | 'YES' | 'NO';
  ageFrom: number;
  ageTo: number;
  annualPremiumFen: string;
}

export interface InsuranceProduct {
  id: GeneratedAlways<string>;
  productCode: string;
  productName: string;
  shortName: string;
  productLine: 'STANDARD' | 'SAAS' | 'RSB' | 'HMO' | 'DAAS';
  productType: 'SPECIAL_DRUG' | 'CITY_INCLUSIVE' | 'MILLION_RIDER' | 'CHRONIC' | 'CORPORATE_HMO' | 'EMPLOYEE_DRUG' | 'EFFICACY';
  insurerId: string | null;
  sponsorName: string | null;
  pharmaCompanyId: string | null;
  adcodes: Generated<string[]>;
  ownerUserId: string | null;
  status: 'DRAFT' | 'ON_SALE' | 'SUSPENDED' | 'RETIRED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceProductLink {
  id: GeneratedAlways<string>;
  mainProductId: string;
  otherProductId: string;
  linkType: 'APPENDED' | 'RENEWAL_OF' | 'UPGRADE_OF' | 'EXCLUSIVE' | 'BUNDLE' | 'SUBSTITUTE';
  attachMode: 'MUST' | 'OPTIONAL' | null;
  shareGroups: ColumnType<unknown, string | undefined, string>;
  overflow: Generated<boolean>;
  waiveWaiting: Generated<boolean>;
  maxGapDays: number | null;
  payOrder: number | null;
  effectiveFrom: string;
  effectiveTo: string | null;
  status: 'ENABLED' | 'REMOVED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceProductVersion {
  id: GeneratedAlways<string>;
  productId: string;
  versionNo: number;
  effectiveFrom: string;
  effectiveTo: string | null;
  clauseFileId: string | null;
  clauseSha256: string | null;
  filingNo: Generated<string>;
  claimTypes: ColumnType<unknown, string | undefined, string>;
  claimWindowDays: Generated<number>;
  regionsAllowed: Generated<string[]>;
  hospitalScope: Generated<'ANY' | 'GRADE2' | 'PUBLIC_GRADE2' | 'LIST'>;
  hospitalIds: Generated<string[]>;
  drugstoreIds: Generated<string[]>;
  enrolConfig: ColumnType<unknown, string, string>;
  gapNote: Generated<string>;
  changeNote: Generated<string>;
  state: 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'PUBLISHED' | 'WITHDRAWN';
  makerId: string | null;
  checkerId: string | null;
  submittedAt: string | null;
  publishedAt: string | null;
  contentHash: string | null;
  closedPredecessorId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceReasonText {
  id: GeneratedAlways<string>;
  reasonCode: string;
  label: string;
  applicantText: string;
  internalText: Generated<string>;
  version: Generated<number>;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceRight {
  id: GeneratedAlways<string>;
  productVersionId: string;
  rightCode: string;
  rightName: string;
  kind: 'PREAUTH' | 'CASH' | 'SERVICE';
  entitlementDefId: string | null;
  amountFen: string | null;
  timesPerYear: number | null;
  requiredMaterials: Generated<string[]>;
  occurrenceKey: 'PER_DRUG' | 'PER_VISIT' | 'ONCE';
  drugIds: Generated<string[]>;
}

export interface InsuranceRuleReplay {
  id: GeneratedAlways<string>;
  replayNo: string;
  ownerType: 'PRODUCT_VERSION' | 'CONTROL_RULE_VERSION';
  ownerId: string;
  ownerName: string;
  contentHash: string;
  content: ColumnType<unknown, string, string>;
  fromDate: string;
  toDate: string;
  filter: ColumnType<unknown, string | undefined, string>;
  state: 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';
  cursorId: Generated<string>;
  total: number;
  done: Generated<number>;
  changed: Generated<number>;
  failed: Generated<number>;
  paidBeforeFen: Generated<string>;
  paidAfterFen: Generated<string>;
  fault: string | null;
  startedAt: string | null;
  endedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceRuleReplayCase {
  id: GeneratedAlways<string>;
  replayId: string;
  snapshotId: string;
  claimNo: string;
  beforeFen: string;
  afterFen: string;
  outcomeBefore: string;
  outcomeAfter: string;
  diffSteps: ColumnType<unknown, string, string>;
  verdict: 'EXPECTED' | 'UNEXPECTED' | null;
  note: Generated<string>;
  judgedBy: string | null;
  judgedByName: string | null;
  judgedAt: string | null;
}

export interface InsuranceRuleTestCase {
  id: GeneratedAlways<string>;
  ownerType: 'PRODUCT_VERSION' | 'CONTROL_RULE_VERSION';
  ownerId: string;
  caseName: string;
  input: ColumnType<unknown, string, string>;
  expected: ColumnType<unknown, string, string>;
  active: Generated<boolean>;
  lastResult: Generated<'PASS' | 'FAIL' | 'NEVER'>;
  lastContentHash: string | null;
  lastActual: ColumnType<unknown, string | null | undefined, string | null>;
  lastRunAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InsuranceStatClaim {
  claimId: string;
  claimNo: string;
  round: number;
  insurerId: string | null;
  productId: string;
  productVersionId: string | null;
  productLine: string;
  adcode: string;
  state: string;
  open: boolean;
  submittedAt: string;
  decidedAt: string | null;
  paidAt: string | null;
  claimedFen: string;
  approvedFen: string;
  paidFen: string;
  reasonCodes: string[];
  cuts: ColumnType<unknown, string | undefined, string>;
  detailRound: Generated<number>;
  workMinutes: number | null;
  testUser: boolean;
  seq: number;
}

export interface InsuranceStatClaimDay {
  claimId: string;
  date: string;
  openFen: string;
  approvedFen: string;
  paidFen: string;
  seq: number;
}

export interface InsuranceStatClaimDrug {
  claimId: string;
  medicineId: string;
  medicineName: string;
  claimedFen: string;
  approvedFen: string;
}

export interface InsuranceStatEnrolment {
  applyId: string;
  applyNo: string;
  insuredItemId: string | null;
  insurerId: string | null;
  productId: string;
  productLine: string;
  adcode: string;
  state: 'SUBMITTED' | 'APPROVED' | 'REJECTED' | 'CLOSED';
  submittedAt: string;
  decidedAt: string | null;
  firstRoundPass: boolean | null;
  testUser: boolean;
  seq: number;
}

export interface InsuranceStatGap {
  stream: string;
  aggregateId: string;
  seq: number;
  since: string;
}

export interface InsuranceStatPremium {
  premiumOrderId: string;
  policyId: string | null;
  insurerId: string | null;
  productId: string;
  productLine: string;
  adcode: string;
  coverageStart: string;
  coverageEnd: string;
  amountFen: string;
  reversed: boolean;
  seq: number;
}

export interface InsuranceVersionPin {
  id: GeneratedAlways<string>;
  productVersionId: string;
  refType: string;
  refId: string;
  endsOn: string | null;
  createdAt: string;
}

export interface InsuranceTables {
  insuranceBenefit: InsuranceBenefit;
  insuranceBenefitTier: InsuranceBenefitTier;
  insuranceClaimRule: InsuranceClaimRule;
  insuranceClaimSnapshot: InsuranceClaimSnapshot;
  insuranceControlHit: InsuranceControlHit;
  insuranceControlModule: InsuranceControlModule;
  insuranceControlRule: InsuranceControlRule;
  insuranceControlRuleVersion: InsuranceControlRuleVersion;
  insuranceEntitlementDef: InsuranceEntitlementDef;
  insuranceEntitlementPin: InsuranceEntitlementPin;
  insuranceFormulary: InsuranceFormulary;
  insuranceFormularyLine: InsuranceFormularyLine;
  insuranceFormularyVersion: InsuranceFormularyVersion;
  insuranceInsurer: InsuranceInsurer;
  insuranceLimitGroup: InsuranceLimitGroup;
  insurancePlan: InsurancePlan;
  insurancePlanRate: InsurancePlanRate;
  insuranceProduct: InsuranceProduct;
  insuranceProductLink: InsuranceProductLink;
  insuranceProductVersion: InsuranceProductVersion;
  insuranceReasonText: InsuranceReasonText;
  insuranceRight: InsuranceRight;
  insuranceRuleReplay: InsuranceRuleReplay;
  insuranceRuleReplayCase: InsuranceRuleReplayCase;
  insuranceRuleTestCase: InsuranceRuleTestCase;
  insuranceStatClaim: InsuranceStatClaim;
  insuranceStatClaimDay: InsuranceStatClaimDay;
  insuranceStatClaimDrug: InsuranceStatClaimDrug;
  insuranceStatEnrolment: InsuranceStatEnrolment;
  insuranceStatGap: InsuranceStatGap;
  insuranceStatPremium: InsuranceStatPremium;
  insuranceVersionPin: InsuranceVersionPin;
}
