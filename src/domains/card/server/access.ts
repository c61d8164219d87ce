import { sql, type SqlBool } from 'kysely';
import { recordOf } from '../../../kernel/server/record/recordOf.ts';
import { own } from './database.ts';

const everybody = () => sql<SqlBool>`true`;
export const settlementBatchRecords = recordOf((db) => own(db).selectFrom('cardSettlementBatch as s').selectAll('s')).with({
  noun: '结算批次',
  type: 'card.settlementBatch',
  id: 's.id',
  scope: everybody,
});
export type SettlementBatchRecord = Awaited<ReturnType<typeof settlementBatchRecords.get>>;
export const settlementBillRecords = recordOf((db) => own(db).selectFrom('cardSettlementBill as b').selectAll('b')).with({
  noun: '结算单',
  type: 'card.settlementBill',
  id: 'b.id',
  scope: everybody,
});
export type SettlementBillRecord = Awaited<ReturnType<typeof settlementBillRecords.get>>;
