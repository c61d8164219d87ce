import { sql, type SqlBool } from 'kysely';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';

/** A mark goes with the person, whatever region or insurer he applies in: who may see marks sees all of them. */
const everybody = () => sql<SqlBool>`true`;

export const markRecords = recordOf((db) => own(db).selectFrom('enrolmentSpecialUser as u').selectAll('u')).with({
  noun: '特殊用户标记',
  type: 'enrolment.specialUser',
  id: 'u.id',
  scope: everybody,
});
export type MarkRecord = Awaited<ReturnType<typeof markRecords.get>>;
