// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface KernelAggregateSeq {
  aggregateType: string;
  aggregateId: string;
  seq: string;
}

export interface KernelAuditTrail {
  id: GeneratedAlways<string>;
  targetType: string;
  targetId: string;
  machine: string;
  action: string;
  label: string;
  fromState: string | null;
  toState: string | null;
  opinion: string | null;
  diff: ColumnType<unknown, string, string>;
  at: string;
  traceId: string;
  userId: string | null;
  opNo: string | null;
  displayName: string;
}

export interface KernelContribution {
  id: GeneratedAlways<string>;
  documentType: string;
  documentId: string;
  userId: string;
  act: 'WRITE' | 'STEP' | 'RETURN' | 'PASS';
  at: string;
}

export interface KernelFailedJob {
  id: GeneratedAlways<string>;
  jobId: string;
  jobName: string;
  label: string;
  subject: string | null;
  data: ColumnType<unknown, string, string>;
  attempts: number;
  error: string;
  traceId: string;
  failedAt: string;
  state: 'FAILED' | 'RETRIED' | 'RECOVERED';
  retriedAt: string | null;
  retriedBy: string | null;
}

export interface KernelIdempotency {
  caller: string;
  call: string;
  key: string;
  bodyHash: string;
  at: string;
  answer: string | null;
}

export interface KernelJobState {
  name: string;
  knownSince: string;
  succeededAt: string | null;
  failedAt: string | null;
}

export interface KernelLease {
  resourceType: string;
  resourceId: string;
  userId: string;
  displayName: string;
  takenAt: string;
  until: string;
}

export interface KernelMigration {
  name: string;
  checksum: string;
  appliedAt: string;
}

export interface KernelNumber {
  prefix: string;
  day: string;
  last: string;
}

export interface KernelOutbox {
  id: GeneratedAlways<string>;
  eventId: string;
  name: string;
  aggregateId: string;
  seq: string;
  payload: ColumnType<unknown, string, string>;
  at: string;
  traceId: string;
}

export interface KernelOutboxDelivery {
  outboxId: string;
  consumer: string;
  state: 'PENDING' | 'DONE' | 'FAILED';
  attempts: Generated<number>;
  nextTryAt: string;
  lastError: string | null;
  doneAt: string | null;
}

export interface KernelPaySimulatedRefund {
  channel: string;
  refundNo: string;
  tradeNo: string;
  amountFen: string;
  state: 'SUCCESS' | 'FAILED';
  unknownUntil: string | null;
  channelRefundNo: string;
  createdAt: string;
}

export interface KernelPaySimulation {
  channel: 'WECHAT' | 'ALIPAY';
  tradeNo: string;
  amountFen: string;
  subject: string;
  state: 'WAITING' | 'PAID' | 'FAILED' | 'CLOSED';
  unknownUntil: string | null;
  channelTradeNo: string | null;
  paidAt: string | null;
  createdAt: string;
}

export interface KernelRateCounter {
  key: string;
  windowStart: string;
  count: number;
}

export interface KernelSetting {
  name: string;
  value: string;
  at: string;
}

export interface KernelSimulation {
  port: 'BANK' | 'TAX' | 'OMS' | 'LOGISTICS';
  ref: string;
  groupRef: string;
  facts: ColumnType<unknown, string, string>;
  takenAt: string;
  answersAt: string | null;
}

export interface KernelTables {
  kernelAggregateSeq: KernelAggregateSeq;
  kernelAuditTrail: KernelAuditTrail;
  kernelContribution: KernelContribution;
  kernelFailedJob: KernelFailedJob;
  kernelIdempotency: KernelIdempotency;
  kernelJobState: KernelJobState;
  kernelLease: KernelLease;
  kernelMigration: KernelMigration;
  kernelNumber: KernelNumber;
  kernelOutbox: KernelOutbox;
  kernelOutboxDelivery: KernelOutboxDelivery;
  kernelPaySimulatedRefund: KernelPaySimulatedRefund;
  kernelPaySimulation: KernelPaySimulation;
  kernelRateCounter: KernelRateCounter;
  kernelSetting: KernelSetting;
  kernelSimulation: KernelSimulation;
}
