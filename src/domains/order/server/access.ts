import { sql, type SqlBool } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from './database.ts';

/** Settings of goods lie in no region and belong to no insurer: who may see them sees all. */
const everybody = () => sql<SqlBool>`true`;

export const shieldRecords = recordOf((db) => own(db).selectFrom('orderShield as s').selectAll('s')).with({
  noun: '隐藏加购设置',
  type: 'order.shield',
  id: 's.id',
  scope: everybody,
});
export type ShieldRecord = Awaited<ReturnType<typeof shieldRecords.get>>;
