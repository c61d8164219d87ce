// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface SettlementAccount {
  id: GeneratedAlways<string>;
  doctorId: string;
  realName: Generated<string>;
  idType: 'ID_CARD' | 'HK_MO' | 'PASSPORT' | null;
  idNoCipher: string | null;
  idNoMasked: string | null;
  taxResident: Generated<boolean>;
  bankName: Generated<string>;
  branchName: Generated<string>;
  cnapsCode: string | null;
  bankAccountCipher: string | null;
  bankAccountMasked: string | null;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  verifyStatus: Generated<'UNVERIFIED' | 'VERIFIED' | 'FAILED'>;
  verifiedAt: string | null;
  verifyMessage: string | null;
  payeeNo: Generated<number>;
  settleState: Generated<'NORMAL' | 'FROZEN'>;
  freezeReason: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface SettlementAccountFreeze {
  accountNo: string;
  doctorId: string;
  payerEntityId: string;
  reason: string;
  frozenAt: string;
}

export interface SettlementAccountHistory {
  id: GeneratedAlways<string>;
  accountId: string;
  payeeNo: number;
  realName: string;
  idNoMasked: string | null;
  bankName: string;
  bankAccountCipher: string | null;
  bankAccountMasked: string | null;
  changedBy: string | null;
  changedByName: string;
  changedAt: string;
}

export interface SettlementAdjust {
  id: GeneratedAlways<string>;
  adjustNo: string;
  doctorId: string;
  payerEntityId: string;
  grossFen: string;
  reason: string;
  fileIds: string[];
  status: Generated<'PENDING' | 'PENDING_SECOND' | 'APPROVED' | 'REJECTED' | 'CANCELLED'>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  secondCheckerId: string | null;
  secondCheckerName: string | null;
  opinion: string | null;
  incomeId: string | null;
  version: Generated<number>;
  createdAt: string;
}

export interface SettlementAgent {
  agentId: string;
  agentNo: string;
  name: string;
  state: string;
  updatedAt: string;
}

export interface SettlementBill {
  id: GeneratedAlways<string>;
  billNo: string;
  runId: string;
  period: string;
  doctorId: string;
  payerEntityId: string;
  itemCount: number;
  consultFen: string;
  followUpFen: string;
  adjustFen: string;
  clawbackFen: string;
  grossFen: string;
  carryInFen: string;
  estTaxFen: string;
  holdId: string | null;
  holdSeq: Generated<number>;
  status: Generated<'CALCULATED' | 'SUBMITTED' | 'APPROVED' | 'IN_BATCH' | 'PAID' | 'PAY_FAILED' | 'REJECTED' | 'HELD' | 'VOIDED'>;
  heldFrom: 'CALCULATED' | 'SUBMITTED' | 'APPROVED' | null;
  holdReason: string | null;
  submittedBy: string | null;
  submittedByName: string | null;
  auditedBy: string | null;
  auditedByName: string | null;
  opinion: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  failedPayeeNo: number | null;
  incentiveFen: Generated<string>;
}

export interface SettlementDoctor {
  doctorId: string;
  doctorNo: string;
  name: string;
  titleCode: string | null;
  hospitalId: string | null;
  hospitalName: string | null;
  channelId: string | null;
  accountState: 'NORMAL' | 'FROZEN' | 'CANCELLED';
  unsettledFen: Generated<string>;
  updatedAt: string;
}

export interface SettlementFact {
  orderId: string;
  orderNo: string;
  doctorId: string;
  serviceItemId: string;
  serviceType: string;
  productLineId: string | null;
  channelId: string | null;
  agentId: string | null;
  payFen: string;
  listFen: string;
  refundedFen: Generated<string>;
  completedAt: string;
  state: Generated<'WAITING' | 'DONE'>;
  createdAt: string;
}

export interface SettlementIncome {
  id: GeneratedAlways<string>;
  incomeNo: string;
  doctorId: string;
  payerEntityId: string;
  incomeType: 'CONSULT' | 'FOLLOW_UP' | 'INCENTIVE' | 'ADJUST' | 'CLAWBACK';
  sourceType: 'CONSULT_ORDER' | 'ADJUST' | 'INCENTIVE_FACT';
  sourceId: string;
  sourceNo: string;
  seq: Generated<number>;
  serviceType: string | null;
  ruleVersionId: string | null;
  cycleVersionId: string | null;
  occurredAt: string;
  availableAt: string;
  baseFen: string;
  grossFen: string;
  calcTrace: ColumnType<unknown, string, string>;
  agentId: string | null;
  status: 'PENDING' | 'AVAILABLE' | 'LOCKED' | 'SETTLED' | 'HELD' | 'REVERSED';
  matured: boolean;
  holdReason: string | null;
  originalItemId: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
  billId: string | null;
  programId: string | null;
  taskId: string | null;
  waitsFor: 'PAUSE' | 'BUDGET' | null;
  productLineId: string | null;
  perfRelationId: string | null;
}

export interface SettlementPayer {
  id: GeneratedAlways<string>;
  entityCode: string;
  entityName: string;
  taxNo: string;
  bankName: string;
  bankAccountCipher: string;
  bankAccountMasked: string;
  isPlatform: boolean;
  enabled: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  bankTemplate: Generated<'CMB_AGENCY' | 'GENERIC_CSV'>;
}

export interface SettlementPayoutBatch {
  id: GeneratedAlways<string>;
  batchNo: string;
  payerEntityId: string;
  planPayDate: string;
  taxMonth: string;
  itemCount: Generated<number>;
  grossFen: Generated<string>;
  taxFen: Generated<string>;
  netFen: Generated<string>;
  status: Generated<'DRAFT' | 'PENDING_REVIEW' | 'PENDING_SECOND' | 'APPROVED' | 'EXPORTED' | 'FINISHED' | 'PARTIAL' | 'REJECTED' | 'VOIDED'>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  secondCheckerId: string | null;
  secondCheckerName: string | null;
  exportedBy: string | null;
  exportedByName: string | null;
  exportedAt: string | null;
  exportCount: Generated<number>;
  fileSha256: string | null;
  opinion: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
  finishedAt: string | null;
  bankTemplate: 'CMB_AGENCY' | 'GENERIC_CSV' | null;
}

export interface SettlementPayoutItem {
  id: GeneratedAlways<string>;
  batchId: string;
  billId: string;
  doctorId: string;
  bizRef: string;
  payeeNo: number;
  payeeName: string;
  bankName: string;
  cnapsCode: string;
  accountCipher: string;
  accountMasked: string;
  grossFen: string;
  taxFen: Generated<string>;
  netFen: string;
  tax: ColumnType<unknown, string | null | undefined, string | null>;
  status: Generated<'INIT' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'UNKNOWN' | 'RETURNED' | 'CANCELLED'>;
  captureTransferId: string | null;
  paidTransferId: string | null;
  bankSerialNo: string | null;
  bankDay: string | null;
  failReason: string | null;
  unknownSince: string | null;
  askDueAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  branchName: Generated<string>;
}

export interface SettlementPayoutMessage {
  id: GeneratedAlways<string>;
  itemId: string;
  kind: 'PAID' | 'FAILED';
  status: Generated<'WAITING' | 'SENT' | 'NO_MOBILE'>;
  dueAt: string;
  tryCount: Generated<number>;
  failure: string | null;
  sentAt: string | null;
  createdAt: string;
}

export interface SettlementPerfChange {
  id: GeneratedAlways<string>;
  requestNo: string;
  changeType: 'BIND' | 'REBIND' | 'UNBIND' | 'TRANSFER';
  fromAgentId: string | null;
  toAgentId: string | null;
  effectiveDate: string;
  reasonCode: 'NEW_DOCTOR' | 'AREA_CHANGE' | 'AGENT_LEFT' | 'CORRECTION';
  reason: string;
  fileIds: Generated<string[]>;
  sourceType: Generated<'MANUAL' | 'IMPORT' | 'ATTRIBUTION' | 'HANDOVER'>;
  sourceNo: string | null;
  status: Generated<'DRAFT' | 'PENDING_AUDIT' | 'APPROVED' | 'EFFECTIVE' | 'REJECTED' | 'WITHDRAWN' | 'REVOKED'>;
  makerId: string | null;
  makerName: string;
  submittedBy: string | null;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface SettlementPerfHead {
  doctorId: string;
  productLineId: string;
  lineName: string;
}

export interface SettlementPerfItem {
  id: GeneratedAlways<string>;
  requestId: string;
  doctorId: string;
  productLineId: string;
  fromAgentId: string | null;
  toAgentId: string | null;
  oldRelationId: string | null;
  newRelationId: string | null;
  isOpen: Generated<boolean>;
  incomeCount: Generated<number>;
  grossFen: Generated<string>;
  months: Generated<string[]>;
}

export interface SettlementPerfPeriod {
  id: GeneratedAlways<string>;
  period: string;
  status: Generated<'OPEN' | 'LOCKED'>;
  lockedBy: string | null;
  lockedByName: string | null;
  lockedAt: string | null;
  opinion: string | null;
  version: Generated<number>;
  updatedAt: string;
  updatedBy: string | null;
}

export interface SettlementPerfRelation {
  id: GeneratedAlways<string>;
  agentId: string;
  doctorId: string;
  productLineId: string;
  startDate: string;
  endDate: string | null;
  sourceRequestId: string;
  endRequestId: string | null;
  revoked: Generated<boolean>;
}

export interface SettlementPeriod {
  id: GeneratedAlways<string>;
  period: string;
  status: Generated<'OPEN' | 'CLOSING' | 'CLOSED'>;
  startedBy: string | null;
  startedByName: string | null;
  startedAt: string | null;
  closedBy: string | null;
  closedByName: string | null;
  closedAt: string | null;
  opinion: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface SettlementProgram {
  id: GeneratedAlways<string>;
  programNo: string;
  programName: string;
  pharmaCompanyId: string;
  companyName: string;
  productLineId: string;
  lineName: string;
  payerEntityId: string;
  startDate: string;
  endDate: string;
  budgetFen: string;
  usedFen: Generated<string>;
  reservedFen: Generated<string>;
  scopeType: 'ALL' | 'DOCTOR' | 'CHANNEL';
  scopeIds: Generated<string[]>;
  introduction: Generated<string>;
  introVersion: Generated<number>;
  fileIds: Generated<string[]>;
  complianceByName: string | null;
  complianceAt: string | null;
  status: Generated<'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'ACTIVE' | 'PAUSED' | 'ENDED' | 'CLOSED'>;
  opinion: string | null;
  makerName: string;
  submittedBy: string | null;
  auditedBy: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface SettlementProgramChange {
  id: GeneratedAlways<string>;
  programId: string;
  kind: 'BUDGET' | 'INTRO' | 'FACTS';
  amountFen: string | null;
  introduction: string | null;
  batchNo: string | null;
  factCount: number | null;
  reason: string;
  status: Generated<'PENDING' | 'APPROVED' | 'REJECTED'>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  version: Generated<number>;
  createdAt: string;
}

export interface SettlementProgramCount {
  taskId: string;
  doctorId: string;
  month: string;
  doneCount: number;
}

export interface SettlementProgramFact {
  id: GeneratedAlways<string>;
  programId: string;
  taskId: string;
  doctorId: string;
  doctorName: string;
  sourceType: 'VISIT_RECORD' | 'TASK' | 'IMPORT';
  sourceNo: string;
  occurredAt: string;
  itemCount: number;
  durationMin: number | null;
  score: string | null;
  changeId: string | null;
  state: 'CHECKING' | 'NEW' | 'BOOKED' | 'OVER_CAP' | 'LATE' | 'UNFIT' | 'REFUSED' | 'REVERSED';
  paidCount: Generated<number>;
  incomeId: string | null;
  createdAt: string;
}

export interface SettlementProgramTask {
  id: GeneratedAlways<string>;
  programId: string;
  taskType: 'CASE_COLLECT' | 'PATIENT_EDU' | 'FOLLOW_UP_RECORD' | 'SURVEY' | 'LECTURE';
  taskName: string;
  unitFen: string;
  monthlyCapCount: number;
  programCapCount: number | null;
  minDurationMin: number | null;
  minScore: number | null;
  doneCount: Generated<number>;
}

export interface SettlementRule {
  id: GeneratedAlways<string>;
  ruleCode: string;
  ruleName: string;
  ruleType: 'SHARE' | 'CYCLE';
  createdAt: string;
  createdBy: string | null;
}

export interface SettlementRuleVersion {
  id: GeneratedAlways<string>;
  ruleId: string;
  ruleType: 'SHARE' | 'CYCLE';
  versionNo: number;
  status: Generated<'DRAFT' | 'PENDING_AUDIT' | 'PUBLISHED' | 'REJECTED' | 'RETIRED'>;
  effectiveFrom: string;
  effectiveTo: string | null;
  doctorId: string | null;
  channelId: string | null;
  serviceItemId: string | null;
  serviceType: string | null;
  doctorTitle: string | null;
  hospitalLevel: string | null;
  scopeWeight: GeneratedAlways<number>;
  incomeType: 'CONSULT' | 'FOLLOW_UP' | null;
  baseType: 'PAID' | 'LIST' | null;
  ratioBp: number | null;
  fixedFen: string | null;
  capFen: string | null;
  freezeDays: number | null;
  cycleDay: number | null;
  minPayoutFen: string | null;
  payerEntityId: string | null;
  scopeText: string;
  testCases: ColumnType<unknown, string | undefined, string>;
  scopeKey: GeneratedAlways<string>;
  opinion: string | null;
  publishedAt: string | null;
  version: Generated<number>;
  makerName: string;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface SettlementRun {
  id: GeneratedAlways<string>;
  runNo: string;
  period: string;
  payerEntityId: string;
  cutoffAt: string;
  status: Generated<'RUNNING' | 'DONE'>;
  billCount: Generated<number>;
  rolledCount: Generated<number>;
  grossFen: Generated<string>;
  startedBy: string | null;
  startedByName: string;
  createdAt: string;
  finishedAt: string | null;
}

export interface SettlementRunSkip {
  runId: string;
  doctorId: string;
  grossFen: string;
  reason: string;
}

export interface SettlementTaxMonth {
  id: GeneratedAlways<string>;
  payerEntityId: string;
  taxMonth: string;
  status: Generated<'OPEN' | 'DECLARED' | 'CORRECTING'>;
  declaredFen: Generated<string>;
  declareCount: Generated<number>;
  declaredBy: string | null;
  declaredByName: string | null;
  declaredAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface SettlementTaxRecord {
  id: GeneratedAlways<string>;
  payerEntityId: string;
  doctorId: string;
  payoutItemId: string;
  taxMonth: string;
  method: 'CUMULATIVE' | 'PER_OCCURRENCE';
  runFrom: string;
  grossFen: string;
  taxableFen: string;
  rateBp: number;
  cumTaxFen: string;
  previousTaxFen: string;
  taxFen: string;
  isBack: Generated<boolean>;
  createdAt: string;
}

export interface SettlementTables {
  settlementAccount: SettlementAccount;
  settlementAccountFreeze: SettlementAccountFreeze;
  settlementAccountHistory: SettlementAccountHistory;
  settlementAdjust: SettlementAdjust;
  settlementAgent: SettlementAgent;
  settlementBill: SettlementBill;
  settlementDoctor: SettlementDoctor;
  settlementFact: SettlementFact;
  settlementIncome: SettlementIncome;
  settlementPayer: SettlementPayer;
  settlementPayoutBatch: SettlementPayoutBatch;
  settlementPayoutItem: SettlementPayoutItem;
  settlementPayoutMessage: SettlementPayoutMessage;
  settlementPerfChange: SettlementPerfChange;
  settlementPerfHead: SettlementPerfHead;
  settlementPerfItem: SettlementPerfItem;
  settlementPerfPeriod: SettlementPerfPeriod;
  settlementPerfRelation: SettlementPerfRelation;
  settlementPeriod: SettlementPeriod;
  settlementProgram: SettlementProgram;
  settlementProgramChange: SettlementProgramChange;
  settlementProgramCount: SettlementProgramCount;
  settlementProgramFact: SettlementProgramFact;
  settlementProgramTask: SettlementProgramTask;
  settlementRule: SettlementRule;
  settlementRuleVersion: SettlementRuleVersion;
  settlementRun: SettlementRun;
  settlementRunSkip: SettlementRunSkip;
  settlementTaxMonth: SettlementTaxMonth;
  settlementTaxRecord: SettlementTaxRecord;
}
