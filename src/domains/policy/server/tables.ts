// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface PolicyAbnormalCheck {
  id: GeneratedAlways<string>;
  checkCode: string;
  enabled: boolean;
  severity: 'HIGH' | 'MID' | 'LOW';
  dueDays: number;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  ownerKind: 'INSURER' | 'FINANCE' | 'SYSTEM' | 'PRODUCT' | null;
}

export interface PolicyAbnormalFinding {
  id: GeneratedAlways<string>;
  checkCode: string;
  subjectType: 'policy' | 'endorsement' | 'insuredItem' | 'premiumOrder' | 'receipt' | 'batch' | 'coverUse';
  subjectId: string;
  subject: string;
  fingerprint: Generated<string>;
  severity: 'HIGH' | 'MID' | 'LOW';
  expected: string;
  actual: string;
  policyId: string | null;
  insurerId: string | null;
  insurerName: Generated<string>;
  ownerUserId: string | null;
  ownerName: string | null;
  dueAt: string;
  firstSeenAt: string;
  lastSeenAt: string;
  timesSeen: Generated<number>;
  state: Generated<'OPEN' | 'FIXING' | 'RECHECK' | 'IGNORE_PENDING' | 'IGNORED' | 'RESOLVED'>;
  fixNote: string | null;
  ignoreUntil: string | null;
  ignoreBy: string | null;
  ignoreByName: string | null;
  approvedBy: string | null;
  resolvedAt: string | null;
  version: Generated<number>;
}

export interface PolicyAbnormalOwner {
  id: GeneratedAlways<string>;
  ownerKind: 'INSURER' | 'FINANCE' | 'SYSTEM' | 'PRODUCT';
  insurerId: string | null;
  insurerName: Generated<string>;
  userId: string;
  userName: string;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PolicyAbnormalRun {
  id: GeneratedAlways<string>;
  startedAt: string;
  finishedAt: string;
  startedByName: string;
  found: number;
  added: number;
  cleared: number;
  checks: ColumnType<unknown, string, string>;
}

export interface PolicyCoverSlice {
  id: GeneratedAlways<string>;
  insuredItemId: string;
  policyId: string;
  planCode: string;
  coverageStart: string;
  coverageEnd: string;
  annualPremiumFen: string;
  createdByEndorsementId: string;
}

export interface PolicyCoverSupersede {
  sliceId: string;
  endorsementId: string;
}

export interface PolicyCoverUse {
  id: GeneratedAlways<string>;
  refType: 'APPLY' | 'CONTRACT' | 'CLAIM';
  refId: string;
  refNo: string;
  insuredItemId: string;
  policyId: string;
  state: 'OPEN' | 'LIVE' | 'PAID' | 'ENDED';
  useFrom: string;
  useTo: string | null;
  claimedFen: Generated<string>;
  paidFen: Generated<string>;
  lastSeq: Generated<number>;
  updatedAt: string;
}

export interface PolicyEndorsement {
  id: GeneratedAlways<string>;
  endorsementNo: string;
  policyId: string;
  seq: number | null;
  kind: 'ADD' | 'REMOVE' | 'CORRECT' | 'PLAN' | 'HOLDER' | 'EXTEND' | 'SURRENDER' | 'CANCEL' | 'SUSPEND' | 'REINSTATE' | 'MIXED';
  effectiveOn: string;
  reason: Generated<string>;
  before: ColumnType<unknown, string | undefined, string>;
  after: ColumnType<unknown, string | undefined, string>;
  payloadCipher: string | null;
  restoreCipher: string | null;
  premiumDeltaFen: Generated<string>;
  batchId: string | null;
  insurerEndorsementNo: Generated<string>;
  fileIds: Generated<string[]>;
  state: 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'VISIBLE' | 'UNDONE' | 'DISCARDED';
  visibleAt: string | null;
  undoneAt: string | null;
  makerId: string | null;
  makerName: string;
  checkerId: string | null;
  undoneBy: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PolicyInsuredBatch {
  id: GeneratedAlways<string>;
  batchNo: string;
  templateId: string | null;
  templateVersion: number | null;
  layout: ColumnType<unknown, string, string>;
  mode: 'INITIAL' | 'ADD' | 'REMOVE' | 'MIXED' | 'FULL';
  policyIds: Generated<string[]>;
  insurerKey: string;
  insurerId: string | null;
  insurerName: string;
  fileId: string | null;
  fileName: Generated<string>;
  fileSha256: string | null;
  defaultEffectiveOn: string | null;
  totalRows: Generated<number>;
  addRows: Generated<number>;
  modifyRows: Generated<number>;
  removeRows: Generated<number>;
  sameRows: Generated<number>;
  excludedRows: Generated<number>;
  warnRows: Generated<number>;
  errorRows: Generated<number>;
  backdatedRows: Generated<number>;
  parsedRows: Generated<number>;
  appliedRows: Generated<number>;
  unknownHeaders: Generated<string[]>;
  fault: string | null;
  faultAcceptedBy: string | null;
  impact: ColumnType<unknown, string | null | undefined, string | null>;
  impactHash: string | null;
  premiumDeltaFen: Generated<string>;
  state: 'UPLOADED' | 'PARSING' | 'HAS_ERROR' | 'PREVIEW' | 'PENDING_AUDIT' | 'APPLYING' | 'APPLY_FAILED' | 'APPLIED' | 'UNDOING' | 'UNDONE' | 'DISCARDED';
  failure: string | null;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  appliedAt: string | null;
  undoneAt: string | null;
  undoReason: string | null;
  undoAskedBy: string | null;
  undoAskedAt: string | null;
  undoToken: string | null;
  reverseOfBatchId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  chosenPolicyIds: Generated<string[]>;
  policySeqs: ColumnType<unknown, string | undefined, string>;
  appliedUpto: Generated<string>;
  leftOut: Generated<string[]>;
  listsFresh: Generated<boolean>;
  renewsPolicyId: string | null;
  sheetRead: string | null;
}

export interface PolicyInsuredBatchRow {
  id: GeneratedAlways<string>;
  batchId: string;
  rowNo: number;
  rawCipher: string;
  correctedCipher: string | null;
  op: 'ADD' | 'REMOVE' | 'MODIFY' | null;
  policyId: string | null;
  personKey: string | null;
  idNoHash: string | null;
  name: Generated<string>;
  planCode: string | null;
  effectiveOn: string | null;
  leaveOn: string | null;
  mainIdNoHash: string | null;
  premiumFen: Generated<string>;
  result: 'ADD' | 'MODIFY' | 'REMOVE' | 'SAME' | 'ERROR' | 'EXCLUDED';
  warnings: ColumnType<unknown, string | undefined, string>;
  errors: ColumnType<unknown, string | undefined, string>;
  warnAccepted: Generated<boolean>;
  backdated: Generated<boolean>;
  note: Generated<string>;
  insuredItemId: string | null;
  fromSheet: Generated<boolean>;
  person: ColumnType<unknown, string | null | undefined, string | null>;
  change: ColumnType<unknown, string | null | undefined, string | null>;
  lines: ColumnType<unknown, string | null | undefined, string | null>;
  before: ColumnType<unknown, string | null | undefined, string | null>;
  firstDay: string | null;
  hidden: Generated<boolean>;
}

export interface PolicyInsuredItem {
  id: GeneratedAlways<string>;
  policyId: string;
  personKey: string;
  name: string;
  idType: 'ID_CARD' | 'PASSPORT' | 'HK_MO' | 'TW' | 'BIRTH' | 'OTHER';
  idNoCipher: string | null;
  idNoMasked: string | null;
  idNoHash: string | null;
  gender: 'M' | 'F';
  birthDate: string;
  mobileCipher: string | null;
  mobileMasked: string | null;
  mobileHash: string | null;
  employeeNo: string | null;
  department: string | null;
  adcode: string | null;
  hasSocial: Generated<boolean>;
  socialAdcode: string | null;
  relation: Generated<'SELF' | 'SPOUSE' | 'CHILD' | 'PARENT'>;
  mainInsuredItemId: string | null;
  preExistingIcd: Generated<string[]>;
  patientId: string | null;
  realNameState: Generated<'NONE' | 'PASSED'>;
  createdByEndorsementId: string;
  stateCache: Generated<'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'LEFT' | 'EXPIRED' | 'VOID'>;
  startCache: string | null;
  endCache: string | null;
  planCache: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PolicyInsuredTemplate {
  id: GeneratedAlways<string>;
  insurerKey: string;
  insurerName: string;
  templateName: string;
  sheet: Generated<string>;
  headerRow: Generated<number>;
  columns: ColumnType<unknown, string, string>;
  leaveMeans: Generated<'LAST_COVERED' | 'FIRST_UNCOVERED'>;
  dedupeKey: Generated<'PERSON' | 'EMPLOYEE'>;
  removed: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  insurerId: GeneratedAlways<string | null>;
}

export interface PolicyPolicy {
  id: GeneratedAlways<string>;
  policyNo: string;
  policyNoNorm: string;
  platformNo: string;
  insurerKey: string;
  insurerId: string | null;
  insurerName: string;
  productId: string;
  productVersionId: string;
  productVersionNo: number;
  productCode: string;
  productName: string;
  productLine: 'STANDARD' | 'SAAS' | 'RSB' | 'HMO' | 'DAAS';
  policyType: 'GROUP' | 'PERSONAL' | 'CITY';
  holderType: 'PERSON' | 'ORG';
  holderName: string;
  holderIdNoCipher: string | null;
  holderIdNoMasked: string | null;
  holderIdHash: string | null;
  holderContactCipher: string | null;
  holderContactMasked: string | null;
  coverageStart: string;
  coverageEnd: string;
  termDays: number;
  payMode: 'LUMP' | 'YEAR' | 'QUARTER' | 'MONTH';
  graceDays: Generated<number>;
  prorate: 'DAY' | 'MONTH';
  refundFeeBp: Generated<number>;
  refundIfClaimed: Generated<boolean>;
  declaredCount: Generated<number>;
  renewalOfPolicyId: string | null;
  adcode: string | null;
  channelName: Generated<string>;
  maxBackdateDays: Generated<number>;
  endorsementSeq: Generated<number>;
  insuredCount: Generated<number>;
  premiumFen: Generated<string>;
  state: 'PENDING' | 'IN_FORCE' | 'SUSPENDED' | 'EXPIRED' | 'SURRENDERED' | 'CANCELLED';
  suspensions: ColumnType<unknown, string | undefined, string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  madeByBatchId: string | null;
}

export interface PolicyPremiumAllocation {
  id: GeneratedAlways<string>;
  businessKey: string;
  receiptId: string;
  premiumOrderId: string;
  amountFen: string;
  reversesAllocationId: string | null;
  madeBy: string;
  madeByName: string;
  confirmedBy: string | null;
  at: string;
}

export interface PolicyPremiumOrder {
  id: GeneratedAlways<string>;
  premiumOrderNo: string;
  kind: 'NEW' | 'RENEWAL' | 'INSTALMENT' | 'ADJUST';
  direction: 'COLLECT' | 'REFUND';
  periodFrom: string;
  periodTo: string;
  policyId: string;
  insurerId: string | null;
  productId: string;
  sourceEndorsementId: string | null;
  reversesOrderId: string | null;
  partNo: Generated<number>;
  partOf: Generated<number>;
  amountFen: string;
  statedFen: string | null;
  settledFen: Generated<string>;
  personCount: Generated<number>;
  generation: Generated<number>;
  backdatedDays: Generated<number>;
  dueOn: string;
  payerName: Generated<string>;
  fileIds: Generated<string[]>;
  insurerInvoiceNo: string | null;
  state: 'DRAFT' | 'PENDING_AUDIT' | 'PENDING_SECOND' | 'REJECTED' | 'APPROVED' | 'PART_SETTLED' | 'SETTLED' | 'REVERSED' | 'VOIDED';
  makerId: string | null;
  makerName: string;
  firstCheckerId: string | null;
  firstCheckerName: string | null;
  secondCheckerId: string | null;
  secondCheckerName: string | null;
  rejectReasons: Generated<string[]>;
  opinion: Generated<string>;
  remindedDays: Generated<number[]>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PolicyPremiumOrderItem {
  id: GeneratedAlways<string>;
  premiumOrderId: string;
  generation: Generated<number>;
  lineNo: number;
  insuredItemId: string;
  sliceId: string | null;
  planCode: string;
  annualPremiumFen: string;
  dateFrom: string;
  dateTo: string;
  days: number;
  basis: 'CHARGE' | 'EXTEND' | 'REFUND' | 'VOID' | 'NONE';
  feeFen: Generated<string>;
  amountFen: string;
  calc: string;
}

export interface PolicyPremiumReceipt {
  id: GeneratedAlways<string>;
  direction: 'COLLECT' | 'REFUND';
  amountFen: string;
  allocatedFen: Generated<string>;
  paidOn: string;
  payerName: string;
  bankFlowNo: string;
  bankAccountCipher: string;
  bankAccountMasked: string;
  bankAccountHash: string;
  source: 'IMPORT' | 'STAFF';
  batchNo: string | null;
  fileIds: Generated<string[]>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
}

export interface PolicyQueryView {
  id: GeneratedAlways<string>;
  ownerUserId: string;
  ownerName: string;
  dataset: 'policy' | 'insured' | 'slice' | 'endorsement' | 'premiumOrder' | 'premiumItem' | 'receipt' | 'premiumMonth';
  viewName: string;
  config: ColumnType<unknown, string, string>;
  scope: Generated<'PRIVATE' | 'ROLE' | 'ALL'>;
  roleCode: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  scheduleDay: number | null;
  recipients: ColumnType<unknown, string | undefined, string>;
  nextOn: string | null;
  lastRunAt: string | null;
  ownerUserRoleId: string | null;
  waiting: ColumnType<unknown, string | undefined, string>;
}

export interface PolicyTables {
  policyAbnormalCheck: PolicyAbnormalCheck;
  policyAbnormalFinding: PolicyAbnormalFinding;
  policyAbnormalOwner: PolicyAbnormalOwner;
  policyAbnormalRun: PolicyAbnormalRun;
  policyCoverSlice: PolicyCoverSlice;
  policyCoverSupersede: PolicyCoverSupersede;
  policyCoverUse: PolicyCoverUse;
  policyEndorsement: PolicyEndorsement;
  policyInsuredBatch: PolicyInsuredBatch;
  policyInsuredBatchRow: PolicyInsuredBatchRow;
  policyInsuredItem: PolicyInsuredItem;
  policyInsuredTemplate: PolicyInsuredTemplate;
  policyPolicy: PolicyPolicy;
  policyPremiumAllocation: PolicyPremiumAllocation;
  policyPremiumOrder: PolicyPremiumOrder;
  policyPremiumOrderItem: PolicyPremiumOrderItem;
  policyPremiumReceipt: PolicyPremiumReceipt;
  policyQueryView: PolicyQueryView;
}
