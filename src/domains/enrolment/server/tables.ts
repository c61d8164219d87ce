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
  enrolmentContract: EnrolmentContract;
  enrolmentContractPay: EnrolmentContractPay;
  enrolmentContractRefund: EnrolmentContractRefund;
  enrolmentPayNotice: EnrolmentPayNotice;
  enrolmentTermination: EnrolmentTermination;
}
