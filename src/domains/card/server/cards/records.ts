import { sql, type SqlBool } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';

/** Cards, guarded for acts on them. */
export const cardRecords = recordOf((db) => own(db).selectFrom('cardCard as c').selectAll('c')).with({
  noun: '卡',
  type: 'card.card',
  id: 'c.id',
  scope: () => sql<SqlBool>`true`,
});
export type CardRecord = Awaited<ReturnType<typeof cardRecords.get>>;
