// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface LedgerAccount {
  id: GeneratedAlways<string>;
  accountNo: string;
  book: 'CARD' | 'DOCTOR' | 'INSURER';
  accountType: string;
  ownerType: string;
  ownerId: string;
  sub: Generated<string>;
  ownerName: string;
  normalSide: 'D' | 'C';
  floorFen: string | null;
  stripes: number;
  lotted: boolean;
  status: Generated<'OPEN' | 'FROZEN' | 'CLOSED'>;
  frozenBy: string | null;
  successorAccountId: string | null;
  version: Generated<number>;
  createdAt: string;
  closedAt: string | null;
}

export interface LedgerAdjustment {
  id: GeneratedAlways<string>;
  adjustNo: string;
  book: 'CARD' | 'DOCTOR' | 'INSURER';
  reasonCode: 'POSTING_ERROR' | 'BANK_DIFF' | 'DATA_FIX' | 'WRITE_OFF';
  reason: string;
  legs: ColumnType<unknown, string, string>;
  totalFen: string;
  attachmentIds: Generated<string[]>;
  status: Generated<'DRAFT' | 'PENDING' | 'PENDING_SECOND' | 'POSTED' | 'REJECTED' | 'CANCELLED'>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  secondCheckerId: string | null;
  secondCheckerName: string | null;
  transferId: string | null;
  submittedAt: string | null;
  closedAt: string | null;
  createdAt: string;
  version: Generated<number>;
}

export interface LedgerBalance {
  accountId: string;
  stripe: number;
  debitTotalFen: Generated<string>;
  creditTotalFen: Generated<string>;
  heldFen: Generated<string>;
  sign: number;
  floorFen: string | null;
  status: Generated<'OPEN' | 'FROZEN' | 'CLOSED'>;
  lastEntrySeq: Generated<string>;
  lastEntryAt: string | null;
}

export interface LedgerEntry {
  id: GeneratedAlways<string>;
  transferId: string;
  lineNo: number;
  accountId: string;
  side: 'D' | 'C';
  amountFen: string;
  accountSeq: string | null;
  balanceAfterFen: string | null;
  originalEntryId: string | null;
}

export interface LedgerFinding {
  id: GeneratedAlways<string>;
  proofId: string;
  book: 'CARD' | 'DOCTOR' | 'INSURER';
  findingCode: 'P1' | 'P2' | 'P3' | 'P4' | 'P5' | 'P6' | 'P7' | 'P8' | 'P9' | 'P10';
  objectKey: string;
  accountId: string | null;
  transferId: string | null;
  lotId: string | null;
  holdId: string | null;
  expectedFen: string | null;
  actualFen: string | null;
  status: Generated<'OPEN' | 'ASSIGNED' | 'RESOLVED' | 'IGNORED'>;
  ownerUserId: string | null;
  resolution: string | null;
  adjustmentId: string | null;
  createdAt: string;
  closedAt: string | null;
  version: Generated<number>;
}

export interface LedgerHold {
  id: GeneratedAlways<string>;
  holdNo: string;
  book: 'CARD' | 'DOCTOR' | 'INSURER';
  businessKey: string;
  payloadHash: string;
  amountFen: string;
  capturedFen: Generated<string>;
  releasedFen: Generated<string>;
  status: Generated<'PENDING' | 'CAPTURED' | 'RELEASED' | 'TIMED_OUT'>;
  releaseKey: string | null;
  releaseReason: string | null;
  expiresAt: string | null;
  refType: string;
  refId: string;
  refNo: string | null;
  operatorId: string;
  operatorName: string;
  createdAt: string;
  closedAt: string | null;
}

export interface LedgerHoldLeg {
  holdId: string;
  accountId: string;
  amountFen: string;
  capturedFen: Generated<string>;
  releasedFen: Generated<string>;
}

export interface LedgerLot {
  id: GeneratedAlways<string>;
  lotNo: string;
  accountId: string;
  sourceTransferId: string;
  parentLotId: string | null;
  refType: string;
  refId: string;
  originalFen: string;
  remainingFen: string;
  heldFen: Generated<string>;
  validFrom: string;
  expiresAt: string | null;
  movedToLotId: string | null;
}

export interface LedgerLotExpiryChange {
  id: GeneratedAlways<string>;
  lotId: string;
  oldExpiresAt: string | null;
  newExpiresAt: string | null;
  reason: string;
  operatorId: string;
  operatorName: string;
  createdAt: string;
}

export interface LedgerLotMove {
  id: GeneratedAlways<string>;
  lotId: string;
  transferId: string | null;
  holdId: string | null;
  kind: 'GRANT' | 'CONSUME' | 'HOLD' | 'UNHOLD' | 'CAPTURE' | 'RESTORE' | 'EXPIRE';
  deltaRemainingFen: string;
  deltaHeldFen: string;
}

export interface LedgerPeriod {
  book: 'CARD' | 'DOCTOR' | 'INSURER';
  period: string;
  status: Generated<'OPEN' | 'CLOSING' | 'CLOSED'>;
  openedAt: string;
  closedAt: string | null;
  closedBy: string | null;
  proofId: string | null;
}

export interface LedgerPeriodBalance {
  book: string;
  period: string;
  accountId: string;
  closingNo: number;
  openingFen: string;
  debitFen: string;
  creditFen: string;
  closingFen: string;
  heldFen: string;
}

export interface LedgerProof {
  id: GeneratedAlways<string>;
  book: 'CARD' | 'DOCTOR' | 'INSURER';
  asOf: string;
  kind: 'NIGHTLY' | 'MANUAL' | 'CLOSE';
  status: 'RUNNING' | 'PASSED' | 'FAILED';
  accountsChecked: Generated<number>;
  entriesChecked: Generated<string>;
  debitTotalFen: Generated<string>;
  creditTotalFen: Generated<string>;
  digest: string | null;
  prevDigest: string | null;
  startedAt: string;
  finishedAt: string | null;
}

export interface LedgerTransfer {
  id: GeneratedAlways<string>;
  transferNo: string;
  book: 'CARD' | 'DOCTOR' | 'INSURER';
  transferType: string;
  businessKey: string;
  payloadHash: string;
  postingDate: string;
  period: GeneratedAlways<string>;
  totalFen: string;
  refType: string;
  refId: string;
  refNo: string | null;
  memo: Generated<string>;
  originalTransferId: string | null;
  whole: Generated<boolean>;
  holdId: string | null;
  operatorId: string;
  operatorName: string;
  traceId: string;
  createdAt: string;
  madeBy: Generated<string>;
}

export interface LedgerTables {
  ledgerAccount: LedgerAccount;
  ledgerAdjustment: LedgerAdjustment;
  ledgerBalance: LedgerBalance;
  ledgerEntry: LedgerEntry;
  ledgerFinding: LedgerFinding;
  ledgerHold: LedgerHold;
  ledgerHoldLeg: LedgerHoldLeg;
  ledgerLot: LedgerLot;
  ledgerLotExpiryChange: LedgerLotExpiryChange;
  ledgerLotMove: LedgerLotMove;
  ledgerPeriod: LedgerPeriod;
  ledgerPeriodBalance: LedgerPeriodBalance;
  ledgerProof: LedgerProof;
  ledgerTransfer: LedgerTransfer;
}
