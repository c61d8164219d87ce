// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface CardBatch {
  id: GeneratedAlways<string>;
  batchNo: string;
  cardTypeId: string;
  quantity: number;
  status: 'DRAFT' | 'PENDING_APPROVAL' | 'PENDING_SECOND' | 'REJECTED' | 'APPROVED' | 'GENERATING' | 'GENERATED' | 'EXPORTED' | 'CLOSED' | 'VOIDED';
  ruleVersion: Generated<number>;
  medium: Generated<'VIRTUAL' | 'PHYSICAL'>;
  faceAmount: Generated<string>;
  bonusAmount: Generated<string>;
  totalAmount: GeneratedAlways<string>;
  purpose: Generated<string>;
  contractFileIds: ColumnType<unknown, string | undefined, string>;
  createdBy: string | null;
  createdByName: Generated<string>;
  createdAt: string | null;
  submittedBy: string | null;
  submittedByName: string | null;
  submittedAt: string | null;
  firstApprovedBy: string | null;
  firstApprovedByName: string | null;
  secondApprovedBy: string | null;
  secondApprovedByName: string | null;
  generatedCount: Generated<number>;
  secretSeed: string | null;
  passwordCipher: string | null;
  passwordRevealedTo: string | null;
  exportCount: Generated<number>;
  closedAt: string | null;
  version: Generated<number>;
}

export interface CardBillPayment {
  id: GeneratedAlways<string>;
  billId: string;
  paymentNo: string;
  amount: string;
  paidAt: string;
  createdAt: string;
  allocationKey: string;
}

export interface CardCard {
  id: GeneratedAlways<string>;
  cardNo: string;
  batchId: string;
  cardTypeId: string;
  kind: 'BENEFIT_CARD' | 'COUPON' | 'STORED_VALUE';
  ruleVersion: number;
  secretHash: string | null;
  state: 'CREATED' | 'IN_STOCK' | 'ISSUED' | 'ACTIVE' | 'FROZEN' | 'DEPLETED' | 'EXPIRED' | 'VOIDED' | 'REPLACED';
  patientId: string | null;
  holderName: string | null;
  holderIdHash: string | null;
  contractId: string | null;
  expireAt: string | null;
  replacedByCardId: string | null;
  principalAvail: Generated<string>;
  bonusAvail: Generated<string>;
  heldAmount: Generated<string>;
  spentAmount: Generated<string>;
  version: Generated<number>;
  secretSetAt: string | null;
  secretFailCount: Generated<number>;
  secretLockedUntil: string | null;
  holderIdType: string | null;
  holderIdMasked: string | null;
  holderIdCipher: string | null;
  holderMobileMasked: string | null;
  holderMobileCipher: string | null;
  holderMobileHash: string | null;
  policyNo: string | null;
  issuedAt: string | null;
  activatedAt: string | null;
  frozenReason: string | null;
  frozenBy: string | null;
  stateBeforeFreeze: string | null;
  replacesCardId: string | null;
  frozenByName: string | null;
}

export interface CardChange {
  id: GeneratedAlways<string>;
  changeNo: string;
  cardId: string;
  action: 'VOID' | 'REPLACE' | 'EXTEND' | 'ADJUST' | 'REBIND';
  payload: ColumnType<unknown, string | undefined, string>;
  differences: ColumnType<unknown, string | undefined, string>;
  reason: string;
  evidenceFileIds: Generated<string[]>;
  status: Generated<'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN'>;
  requestedBy: string;
  requestedByName: string;
  decidedBy: string | null;
  decidedByName: string | null;
  decidedOpinion: string | null;
  decidedAt: string | null;
  newCardId: string | null;
  version: Generated<number>;
  createdAt: string;
}

export interface CardExpiryNotice {
  cardId: string;
  expireAt: string;
  days: 30 | 7 | 1;
  toldAt: string;
}

export interface CardExportLog {
  id: GeneratedAlways<string>;
  batchId: string;
  action: 'EXPORT' | 'REVEAL';
  userId: string;
  userName: string;
  opinion: string | null;
  ip: string;
  at: string;
}

export interface CardFinding {
  id: GeneratedAlways<string>;
  invariantCode: string;
  subjectType: string;
  subjectId: string;
  subject: string;
  expected: string;
  actual: string;
  status: Generated<'OPEN' | 'FIXING' | 'CLOSED'>;
  ownerId: string | null;
  ownerName: string | null;
  fixNote: string | null;
  foundAt: string;
  closedAt: string | null;
  version: Generated<number>;
}

export interface CardFundPrepay {
  id: GeneratedAlways<string>;
  prepayNo: string;
  funderType: 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM' | 'CUSTOMER';
  funderId: string | null;
  funderName: string;
  productCode: string | null;
  amount: string;
  bankSerialNo: string;
  receivedOn: string;
  voucherFileId: string | null;
  status: Generated<'PENDING' | 'CONFIRMED' | 'REJECTED'>;
  createdBy: string;
  createdByName: string;
  confirmedBy: string | null;
  confirmedByName: string | null;
  opinion: string | null;
  version: Generated<number>;
  createdAt: string;
}

export interface CardFunder {
  id: Generated<string>;
  funder: 'INSURER' | 'SPONSOR';
  name: string;
  createdByName: string;
  createdAt: string;
  insurerId: string | null;
}

export interface CardGrant {
  id: GeneratedAlways<string>;
  grantNo: string;
  cardTypeId: string;
  source: 'SINGLE' | 'IMPORT' | 'CONTRACT' | 'API';
  sourceKey: string | null;
  purpose: Generated<string>;
  totalCount: Generated<number>;
  totalAmount: Generated<string>;
  totalBonus: Generated<string>;
  okCount: Generated<number>;
  failCount: Generated<number>;
  status: Generated<'DRAFT' | 'PENDING_APPROVAL' | 'PENDING_SECOND' | 'REJECTED' | 'EXECUTING' | 'DONE' | 'PART_DONE' | 'REVOKED'>;
  createdBy: string | null;
  createdByName: string;
  createdAt: string;
  submittedBy: string | null;
  submittedByName: string | null;
  approvedBy: string | null;
  approvedByName: string | null;
  secondApprovedBy: string | null;
  secondApprovedByName: string | null;
  opinion: string | null;
  doneAt: string | null;
  version: Generated<number>;
}

export interface CardGrantDue {
  id: GeneratedAlways<string>;
  cardTypeId: string;
  key: string;
  sourceNo: string;
  amount: string;
  at: string;
}

export interface CardGrantLine {
  id: GeneratedAlways<string>;
  grantId: string;
  cardTypeId: string;
  rowNo: number;
  outerSerialNo: string | null;
  holderName: string;
  idType: 'ID' | 'PASSPORT' | 'HKMO' | 'TW' | 'FOREIGN' | 'BIRTH';
  idNoCipher: string;
  idNoHash: string;
  idNoMasked: string;
  mobileCipher: string;
  mobileHash: string;
  mobileMasked: string;
  policyNo: string | null;
  amount: string;
  bonus: string;
  expireOn: string | null;
  cardId: string | null;
  state: Generated<'PENDING' | 'SUCCESS' | 'FAILED' | 'PART_REVOKED' | 'REVOKED'>;
  failReason: string | null;
  revokedAmount: Generated<string>;
  doneAt: string | null;
  effectiveFrom: string | null;
}

export interface CardHold {
  id: GeneratedAlways<string>;
  holdNo: string;
  bizType: 'ORDER' | 'MANUAL' | 'RIGHTS';
  bizId: string;
  bizNo: string;
  orderType: string;
  cardId: string;
  kind: 'BENEFIT_CARD' | 'COUPON' | 'STORED_VALUE';
  drugstoreId: string | null;
  drugstoreName: string | null;
  payable: string;
  amount: string;
  times: number;
  benefitId: string | null;
  capturedAmount: Generated<string>;
  state: Generated<'HELD' | 'CAPTURED' | 'RELEASED' | 'TIMED_OUT'>;
  expireAt: string;
  ledgerHoldId: string | null;
  ledgerTransferId: string | null;
  lots: ColumnType<unknown, string, string>;
  key: string;
  operatorType: 'AUTO' | 'STORE' | 'STAFF';
  operatorId: string;
  operatorName: string;
  releaseReason: string | null;
  restoredAt: string | null;
  version: Generated<number>;
  createdAt: string;
  closedAt: string | null;
}

export interface CardHoldLine {
  holdId: string;
  lineNo: number;
  orderLineId: string;
  goodsName: string;
  quantity: number;
  payable: string;
  amount: string;
  times: number;
  merchantId: string;
  merchantName: string;
}

export interface CardLot {
  lotId: string;
  cardId: string;
  kind: 'PRINCIPAL' | 'BONUS';
  funder: 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM' | 'CUSTOMER';
  funderId: string | null;
  productCode: string | null;
  fundingMode: 'PREPAID' | 'ON_GRANT' | 'ON_USE' | 'SALE';
  expiryPolicy: 'RETURN' | 'BREAKAGE';
  grantLineId: string | null;
}

export interface CardOrderCopy {
  orderId: string;
  orderNo: string;
  orderType: string;
  patientId: string | null;
  drugstoreId: string | null;
  drugstoreName: string | null;
  payFen: string;
  closed: Generated<boolean>;
  lines: ColumnType<unknown, string, string>;
  orderTime: string;
  updatedAt: string;
  toldBy: Generated<'EVENT' | 'CALLER'>;
}

export interface CardReversal {
  id: GeneratedAlways<string>;
  reversalNo: string;
  writeOffId: string;
  key: string;
  amount: string;
  feeAmount: string;
  receivableAmount: Generated<string>;
  lots: ColumnType<unknown, string, string>;
  reasonCode: 'RETURN' | 'WRONG_AMOUNT' | 'WRONG_CARD' | 'DUPLICATE' | 'OTHER';
  opinion: string;
  requestedBy: string;
  requestedByName: string;
  approvedBy: string | null;
  approvedByName: string | null;
  auditOpinion: string | null;
  status: Generated<'PENDING' | 'DONE' | 'REJECTED'>;
  doneAt: string | null;
  version: Generated<number>;
  createdAt: string;
}

export interface CardSecretLog {
  id: GeneratedAlways<string>;
  cardId: string;
  action: 'RESET' | 'ACTIVATE' | 'BIND' | 'WRONG' | 'LOCK';
  userId: string | null;
  userName: string;
  ip: string;
  at: string;
}

export interface CardSettlementBatch {
  id: GeneratedAlways<string>;
  batchNo: string;
  direction: 'RECEIVABLE' | 'PAYABLE';
  kind: 'BENEFIT_CARD' | 'COUPON' | 'STORED_VALUE';
  bizLine: 'HMO' | 'SAAS' | 'DAAS' | 'OWN';
  periodFrom: string;
  periodTo: string;
  cutoffAt: string;
  counterpartyIds: Generated<string[]>;
  billCount: Generated<number>;
  lineCount: Generated<number>;
  grossAmount: Generated<string>;
  reversalAmount: Generated<string>;
  feeAmount: Generated<string>;
  netAmount: Generated<string>;
  checks: ColumnType<unknown, string, string>;
  status: Generated<'GENERATING' | 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'CONFIRMING' | 'FINISHED' | 'VOIDED'>;
  createdBy: string | null;
  createdByName: string;
  submittedBy: string | null;
  submittedByName: string | null;
  auditedBy: string | null;
  auditedByName: string | null;
  version: Generated<number>;
  createdAt: string;
}

export interface CardSettlementBill {
  id: GeneratedAlways<string>;
  billNo: string;
  batchId: string;
  direction: 'RECEIVABLE' | 'PAYABLE';
  counterpartyType: 'MERCHANT' | 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM' | 'CUSTOMER';
  counterpartyId: string;
  counterpartyName: string;
  productCode: string | null;
  lineCount: number;
  grossAmount: string;
  reversalAmount: string;
  feeAmount: string;
  adjustAmount: string;
  netAmount: string;
  confirmedAmount: string | null;
  settledAmount: Generated<string>;
  invoiceState: Generated<'NONE' | 'PART' | 'DONE' | 'RED'>;
  paymentNo: string | null;
  status: Generated<'DRAFT' | 'PENDING_CONFIRM' | 'DISPUTED' | 'CONFIRMED' | 'PART_SETTLED' | 'SETTLED' | 'VOIDED'>;
  confirmFileId: string | null;
  confirmedAt: string | null;
  remindedAt: string | null;
  dueDate: string | null;
  version: Generated<number>;
  createdAt: string;
}

export interface CardSettlementLine {
  id: GeneratedAlways<string>;
  billId: string;
  direction: 'RECEIVABLE' | 'PAYABLE';
  lineNo: number;
  sourceType: 'WRITE_OFF' | 'REVERSAL' | 'GRANT' | 'ADJUST';
  sourceId: string | null;
  sourceNo: string;
  orderNo: string | null;
  amount: string;
  fee: string;
  net: string;
  carries: Generated<boolean>;
  matchState: Generated<'UNCHECKED' | 'MATCHED' | 'AMOUNT_DIFF' | 'OURS_ONLY' | 'THEIRS_ONLY'>;
  theirAmount: string | null;
  resolution: 'OURS' | 'THEIRS' | 'NEXT' | null;
  resolvedBy: string | null;
  resolvedAt: string | null;
  opinion: string | null;
  live: Generated<boolean>;
  doneAt: string | null;
  createdAt: string;
  disputedBy: string | null;
  disputedByName: string | null;
  resolvedByName: string | null;
}

export interface CardTimesBalance {
  cardId: string;
  benefitId: string;
  leftTimes: number;
  heldTimes: number;
  version: number;
}

export interface CardTimesMove {
  id: GeneratedAlways<string>;
  cardId: string;
  benefitId: string;
  kind: string;
  deltaLeft: number;
  deltaHeld: number;
  key: string;
  refType: string;
  refId: string;
  at: string;
}

export interface CardType {
  id: GeneratedAlways<string>;
  typeCode: string;
  typeName: string;
  kind: 'BENEFIT_CARD' | 'COUPON' | 'STORED_VALUE';
  bizLine: 'HMO' | 'SAAS' | 'DAAS' | 'OWN';
  funder: 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM' | 'CUSTOMER';
  funderId: string | null;
  funderName: Generated<string>;
  fundingMode: 'PREPAID' | 'ON_GRANT' | 'ON_USE' | 'SALE';
  productCode: string | null;
  rules: ColumnType<unknown, string | undefined, string>;
  status: Generated<'DRAFT' | 'ENABLED' | 'DISABLED'>;
  ruleVersion: Generated<number>;
  version: Generated<number>;
  insurerId: string | null;
  createdBy: string | null;
  createdByName: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  productState: 'SUSPENDED' | 'RETIRED' | null;
  productNotice: string | null;
}

export interface CardTypeVersion {
  cardTypeId: string;
  ruleVersion: number;
  rules: ColumnType<unknown, string, string>;
  changedByName: Generated<string>;
  changedAt: string | null;
}

export interface CardWriteOff {
  id: GeneratedAlways<string>;
  writeOffNo: string;
  holdId: string;
  cardId: string;
  cardTypeId: string;
  kind: 'BENEFIT_CARD' | 'COUPON' | 'STORED_VALUE';
  orderId: string;
  orderNo: string;
  orderLineId: string;
  merchantId: string;
  merchantName: string;
  goodsName: string;
  quantity: number;
  amount: string;
  times: number;
  benefitId: string | null;
  feeAmount: string;
  netAmount: string;
  receivableAmount: string;
  operatorType: 'AUTO' | 'STORE' | 'STAFF';
  operatorId: string;
  operatorName: string;
  state: Generated<'DONE' | 'PART_REVERSED' | 'REVERSED'>;
  reversedAmount: Generated<string>;
  reversedFee: Generated<string>;
  doneAt: string;
  version: Generated<number>;
}

export interface CardTables {
  cardBatch: CardBatch;
  cardBillPayment: CardBillPayment;
  cardCard: CardCard;
  cardChange: CardChange;
  cardExpiryNotice: CardExpiryNotice;
  cardExportLog: CardExportLog;
  cardFinding: CardFinding;
  cardFundPrepay: CardFundPrepay;
  cardFunder: CardFunder;
  cardGrant: CardGrant;
  cardGrantDue: CardGrantDue;
  cardGrantLine: CardGrantLine;
  cardHold: CardHold;
  cardHoldLine: CardHoldLine;
  cardLot: CardLot;
  cardOrderCopy: CardOrderCopy;
  cardReversal: CardReversal;
  cardSecretLog: CardSecretLog;
  cardSettlementBatch: CardSettlementBatch;
  cardSettlementBill: CardSettlementBill;
  cardSettlementLine: CardSettlementLine;
  cardTimesBalance: CardTimesBalance;
  cardTimesMove: CardTimesMove;
  cardType: CardType;
  cardTypeVersion: CardTypeVersion;
  cardWriteOff: CardWriteOff;
}
