// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface EnrolmentAmendment {
  id: GeneratedAlways<string>;
  contractId: string;
  seq: number;
  type: 'DRUG' | 'PAYEE' | 'CONTACT' | 'EXTEND' | 'PLAN';
  effectiveOn: string;
  changes: ColumnType<unknown, string, string>;
  facts: ColumnType<unknown, string, string>;
  former: ColumnType<unknown, string, string>;
  reason: Generated<string>;
  fileIds: Generated<string[]>;
  state: Generated<'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED'>;
  applied: Generated<boolean>;
  makerId: string | null;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  decidedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentApply {
  id: GeneratedAlways<string>;
  applyNo: string;
  externalNo: string | null;
  externalHash: string | null;
  productLine: 'STANDARD' | 'SAAS' | 'RSB' | 'HMO';
  enrolType: 'NEW' | 'RENEW' | 'CHANGE_DRUG' | 'TRANSFER';
  source: 'MINI' | 'STAFF' | 'INSURER' | 'IMPORT';
  insuredItemId: string;
  policyId: string;
  policyNo: string;
  insurerId: string | null;
  insurerName: string | null;
  productId: string;
  productName: string;
  productVersionId: string;
  planCode: string | null;
  coverageStart: string | null;
  coverageEnd: string | null;
  insuredName: string;
  idType: string;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  gender: string | null;
  birthDate: string | null;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  patientId: string | null;
  applicantRelation: 'SELF' | 'SPOUSE' | 'PARENT' | 'CHILD' | 'GUARDIAN';
  applicantName: string | null;
  applicantIdNoCipher: string | null;
  applicantIdNoMasked: string | null;
  applicantMobileCipher: string | null;
  applicantMobileMasked: string | null;
  addressCipher: string | null;
  adcode: string | null;
  diseaseName: string;
  icd10: string;
  firstDiagnosedOn: string;
  stage: Generated<string>;
  medicalCipher: string | null;
  drugId: string | null;
  drugKey: string;
  drugName: string | null;
  dosePlan: Generated<string>;
  hospitalId: string | null;
  hospitalName: string | null;
  hospitalGrade: string | null;
  departmentName: Generated<string>;
  doctorName: Generated<string>;
  baseline: ColumnType<unknown, string | null | undefined, string | null>;
  healthDeclaration: string | null;
  measures: ColumnType<unknown, string | null | undefined, string | null>;
  chronicGrade: 'LOW' | 'MID' | 'HIGH' | 'VERY_HIGH' | null;
  gradeNote: Generated<string>;
  insurerCaseNo: string | null;
  insurerDecision: 'ACCEPT' | 'REJECT' | 'RETURN' | null;
  insurerOpinion: Generated<string>;
  insurerSentAt: string | null;
  insurerDecidedAt: string | null;
  insurerEvidenceFileId: string | null;
  state: 'DRAFT' | 'PENDING' | 'REVIEWING' | 'SUPPLEMENT' | 'RECHECK' | 'WAIT_INSURER' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'CLOSED';
  enteredStateAt: string;
  submittedAt: string | null;
  decidedAt: string | null;
  round: Generated<number>;
  slaStartedAt: string | null;
  slaAllowed: number | null;
  slaPausedMin: Generated<number>;
  slaPausedAt: string | null;
  slaDueAt: string | null;
  leaseUserId: string | null;
  leaseUserName: string | null;
  leaseToken: string | null;
  leaseUntil: string | null;
  preferUserId: string | null;
  enteredBy: string | null;
  firstReviewerId: string | null;
  firstReviewerName: string | null;
  recheckReason: 'LEVEL' | 'OVERRIDE' | 'SAMPLE' | 'MARK' | 'APPEAL' | null;
  supplementCount: Generated<number>;
  appealedAt: string | null;
  rejectReasons: Generated<string[]>;
  applicantWording: Generated<string>;
  internalNote: Generated<string>;
  controlVersions: Generated<string[]>;
  contractId: string | null;
  eventSeq: Generated<number>;
  testUser: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentCheck {
  id: GeneratedAlways<string>;
  applyId: string;
  round: number;
  checkCode: string;
  question: string;
  hard: boolean;
  machineResult: 'PASS' | 'WARN' | 'FAIL' | 'UNKNOWN' | null;
  explain: Generated<string>;
  humanVerdict: 'AGREE' | 'OVERRIDE' | 'FAIL' | null;
  humanNote: Generated<string>;
  userId: string | null;
  sort: number;
}

export interface EnrolmentContract {
  id: GeneratedAlways<string>;
  contractNo: string;
  chainId: string | null;
  previousContractId: string | null;
  renewSeq: Generated<number>;
  applyId: string | null;
  origin: 'APPLY' | 'AUTO' | 'RENEW';
  productLine: 'STANDARD' | 'SAAS' | 'RSB' | 'HMO' | 'DAAS';
  productId: string;
  productCode: string;
  productName: string;
  productVersionId: string;
  planCode: string;
  insuredItemId: string;
  policyId: string;
  policyNo: string;
  insurerId: string | null;
  insurerName: string | null;
  adcode: string | null;
  patientId: string;
  hospitalId: string | null;
  drugKey: string;
  drugIds: Generated<string[]>;
  insuredName: string;
  idType: string;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  birthDate: string | null;
  gender: string | null;
  coverageStart: string;
  coverageEnd: string;
  startDate: string | null;
  endDate: string | null;
  termMonths: number;
  templateCode: string;
  templateVersion: Generated<number>;
  signFileId: string | null;
  signSha256: string | null;
  signedAt: string | null;
  signChannel: 'E_SIGN' | 'PAPER' | null;
  signDueAt: string | null;
  payMode: 'NONE' | 'PLATFORM' | 'SPONSOR';
  listFeeFen: Generated<string>;
  prorated: Generated<boolean>;
  coolingOffDays: Generated<number>;
  feeFen: Generated<string>;
  paidFen: Generated<string>;
  refundedFen: Generated<string>;
  payeeName: string | null;
  payeeBank: string | null;
  payeeAccountCipher: string | null;
  payeeAccountMasked: string | null;
  reviewCycleDays: number | null;
  nextReviewOn: string | null;
  reviewRemindedOn: string | null;
  continuousFrom: string | null;
  hasSocial: boolean | null;
  preExistingIcd: Generated<string[]>;
  familySubjectId: string;
  coverLostOn: string | null;
  renewedPolicyId: string | null;
  renewedPolicyNo: string | null;
  state: 'WAIT_SIGN' | 'WAIT_PAY' | 'NOT_STARTED' | 'ACTIVE' | 'SUSPENDED' | 'EXPIRED' | 'TERMINATED' | 'CANCELLED';
  suspendReason: 'REVIEW_OVERDUE' | 'POLICY' | 'RISK' | 'MANUAL' | null;
  cancelReason: 'UNSIGNED' | 'UNPAID' | 'REVOKED' | 'MANUAL' | null;
  terminateReason: 'DEATH' | 'LEFT' | 'FRAUD' | 'REQUEST' | 'OTHER' | null;
  terminatedOn: string | null;
  amendSeq: Generated<number>;
  eventSeq: Generated<number>;
  claimPaidFen: Generated<string>;
  openClaimCount: Generated<number>;
  lastClaimPaidOn: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentContractPay {
  id: GeneratedAlways<string>;
  payNo: string;
  contractId: string;
  dueOn: string;
  amountFen: string;
  refundedFen: Generated<string>;
  channel: 'WECHAT' | 'ALIPAY' | 'BANK' | 'OFFLINE';
  payerName: string;
  channelTradeNo: string | null;
  expireAt: string;
  paidAt: string | null;
  state: Generated<'INIT' | 'PENDING' | 'CHECKING' | 'SUCCESS' | 'FAILED' | 'UNKNOWN' | 'CLOSED'>;
  flag: 'AMOUNT' | 'LATE' | null;
  askedAt: string | null;
  unknownSince: string | null;
  askDueAt: string | null;
  proofFileId: string | null;
  makerId: string | null;
  makerName: string | null;
  checkerId: string | null;
  checkerName: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentContractRefund {
  id: GeneratedAlways<string>;
  refundNo: string;
  contractId: string;
  payId: string;
  amountFen: string;
  calc: ColumnType<unknown, string, string>;
  reason: string;
  state: 'APPLIED' | 'PENDING' | 'REJECTED' | 'SUCCESS' | 'FAILED' | 'UNKNOWN';
  makerId: string | null;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  channelRefundNo: string | null;
  refundedAt: string | null;
  failReason: string | null;
  proofFileId: string | null;
  unknownSince: string | null;
  askDueAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentDecision {
  id: GeneratedAlways<string>;
  applyId: string;
  round: number;
  level: 1 | 2 | 3;
  verdict: 'PASS' | 'SUPPLEMENT' | 'REJECT' | 'RETURN' | 'ACCEPT';
  reasons: Generated<string[]>;
  applicantWording: Generated<string>;
  internalNote: Generated<string>;
  userId: string | null;
  userName: string;
  seconds: Generated<number>;
  at: string;
}

export interface EnrolmentDuplicate {
  id: GeneratedAlways<string>;
  ownerType: string;
  ownerId: string;
  signal: string;
  otherType: string;
  otherId: string;
  score: number;
  verdict: Generated<'PENDING' | 'DUP' | 'NOT_DUP'>;
  note: Generated<string>;
  judgedBy: string | null;
  judgedName: string | null;
  foundAt: string;
}

export interface EnrolmentFile {
  fileId: string;
  sha256: string;
  phash: string | null;
  phashBands: Generated<number[]>;
}

export interface EnrolmentMaterial {
  id: GeneratedAlways<string>;
  ownerType: string;
  ownerId: string;
  personKey: string | null;
  materialType: string;
  fileId: string;
  supplementId: string | null;
  replacesId: string | null;
  readCipher: string | null;
  confirmedCipher: string | null;
  issuedOn: string | null;
  issuer: Generated<string>;
  verdict: 'OK' | 'UNCLEAR' | 'WRONG' | 'FAKE' | null;
  reason: Generated<string>;
  judgedBy: string | null;
  judgedAt: string | null;
  createdBy: string | null;
  createdAt: string;
}

export interface EnrolmentOtherMaterial {
  id: GeneratedAlways<string>;
  materialNo: string;
  contractId: string;
  kind: 'FOLLOW_UP' | 'IDENTITY' | 'BANK' | 'PRIOR_PURCHASE' | 'PRESCRIPTION' | 'OTHER';
  factsCipher: string | null;
  state: Generated<'PENDING' | 'REVIEWING' | 'SUPPLEMENT' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN'>;
  enteredStateAt: string;
  submittedAt: string;
  enteredBy: string;
  enteredName: string;
  slaStartedAt: string | null;
  slaAllowed: number | null;
  slaPausedMin: Generated<number>;
  slaPausedAt: string | null;
  slaDueAt: string | null;
  leaseUserId: string | null;
  leaseUserName: string | null;
  leaseToken: string | null;
  leaseUntil: string | null;
  rejectReasons: Generated<string[]>;
  applicantWording: Generated<string>;
  internalNote: Generated<string>;
  outcome: Generated<string>;
  amendmentId: string | null;
  decidedBy: string | null;
  decidedName: string | null;
  decidedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentPayNotice {
  id: GeneratedAlways<string>;
  contractId: string | null;
  payNo: string;
  channel: 'WECHAT' | 'ALIPAY' | 'BANK' | 'OFFLINE';
  channelTradeNo: string;
  amountFen: string;
  paidAt: string;
  source: 'NOTICE' | 'QUERY' | 'HAND';
  outcome: 'PAID' | 'LATE' | 'TWICE' | 'AMOUNT';
  at: string;
}

export interface EnrolmentSpecialUser {
  id: GeneratedAlways<string>;
  personKey: string;
  name: string;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  markType: 'SKIP_REVIEW' | 'FORCE_RECHECK' | 'BLOCK' | 'WAIVE_FEE' | 'TEST';
  productIds: Generated<string[]>;
  startDate: string;
  endDate: string;
  reason: string;
  evidenceFileIds: Generated<string[]>;
  replacesId: string | null;
  state: Generated<'PENDING' | 'EFFECTIVE' | 'REJECTED' | 'REVOKED' | 'EXPIRED'>;
  opinion: string | null;
  hits: Generated<number>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentSupplement {
  id: GeneratedAlways<string>;
  ownerType: string;
  ownerId: string;
  items: ColumnType<unknown, string, string>;
  askedBy: string | null;
  askedAt: string;
  dueAt: string;
  state: Generated<'OPEN' | 'ANSWERED' | 'EXPIRED' | 'CANCELLED'>;
  endedAt: string | null;
}

export interface EnrolmentSupplementReminder {
  supplementId: string;
  daysBefore: number;
  sentAt: string;
}

export interface EnrolmentTermination {
  id: GeneratedAlways<string>;
  contractId: string;
  terminatedOn: string;
  reason: 'DEATH' | 'LEFT' | 'FRAUD' | 'REQUEST' | 'OTHER';
  note: string;
  refundFen: string;
  state: Generated<'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED' | 'EXPIRED'>;
  expiresAt: string;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentTables {
  enrolmentAmendment: EnrolmentAmendment;
  enrolmentApply: EnrolmentApply;
  enrolmentCheck: EnrolmentCheck;
  enrolmentContract: EnrolmentContract;
  enrolmentContractPay: EnrolmentContractPay;
  enrolmentContractRefund: EnrolmentContractRefund;
  enrolmentDecision: EnrolmentDecision;
  enrolmentDuplicate: EnrolmentDuplicate;
  enrolmentFile: EnrolmentFile;
  enrolmentMaterial: EnrolmentMaterial;
  enrolmentOtherMaterial: EnrolmentOtherMaterial;
  enrolmentPayNotice: EnrolmentPayNotice;
  enrolmentSpecialUser: EnrolmentSpecialUser;
  enrolmentSupplement: EnrolmentSupplement;
  enrolmentSupplementReminder: EnrolmentSupplementReminder;
  enrolmentTermination: EnrolmentTermination;
}
