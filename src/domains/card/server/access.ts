import { sql, type SqlBool } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
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

/** Who looks at documents, with what he may do. */
export interface Viewing {
  has(permission: string | { code: string }): boolean;
  staff: { userId: string };
}
/** What is offered to somebody of what the state allows: nobody is shown a decision on what he made or passed himself. */
export const notOfOwn = <Action extends string>(
  actions: readonly Action[],
  decisions: readonly NoInfer<Action>[],
  makers: readonly (string | null)[],
  { staff }: Viewing,
): Action[] => actions.filter((action) => !(makers.includes(staff.userId) && decisions.includes(action)));
