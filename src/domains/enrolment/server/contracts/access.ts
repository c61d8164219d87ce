import { sql, type SqlBool } from 'kysely';
import { scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';

/** An insurer's people see the contracts of their own policies. */
export const contractScope = (column: string) => scopedResource({ region: 'free', insurer: { column }, channel: 'free', own: 'free' });

export const contractRecords = recordOf((db) => own(db).selectFrom('enrolmentContract as c').selectAll('c')).with({
  noun: '合同',
  type: 'enrolment.contract',
  id: 'c.id',
  scope: contractScope('c.insurerId'),
});
export type ContractRecord = Awaited<ReturnType<typeof contractRecords.get>>;

const ofContract = (column: string) => (viewer: Viewer) =>
  sql<SqlBool>`exists (
    select from enrolment_contract c where c.id = ${sql.ref(column)} and ${scopeFilter(contractScope('c.insurerId'), viewer)}
  )`;

export const amendmentRecords = recordOf((db) => own(db).selectFrom('enrolmentAmendment as a').selectAll('a')).with({
  noun: '合同变更',
  type: 'enrolment.amendment',
  id: 'a.id',
  scope: ofContract('a.contractId'),
});
export type AmendmentRecord = Awaited<ReturnType<typeof amendmentRecords.get>>;

export const terminationRecords = recordOf((db) => own(db).selectFrom('enrolmentTermination as t').selectAll('t')).with({
  noun: '终止申请',
  type: 'enrolment.termination',
  id: 't.id',
  scope: ofContract('t.contractId'),
});
export type TerminationRecord = Awaited<ReturnType<typeof terminationRecords.get>>;

export const payRecords = recordOf((db) => own(db).selectFrom('enrolmentContractPay as p').selectAll('p')).with({
  noun: '支付单',
  type: 'enrolment.contractPay',
  id: 'p.id',
  scope: ofContract('p.contractId'),
});
export type PayRecord = Awaited<ReturnType<typeof payRecords.get>>;

export const refundRecords = recordOf((db) => own(db).selectFrom('enrolmentContractRefund as r').selectAll('r')).with({
  noun: '退款单',
  type: 'enrolment.contractRefund',
  id: 'r.id',
  scope: ofContract('r.contractId'),
});
export type RefundRecord = Awaited<ReturnType<typeof refundRecords.get>>;
