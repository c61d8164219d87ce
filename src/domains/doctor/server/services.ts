import type { Db } from '#kernel/server/context.ts';
import { own } from './database.ts';

/** Members of staff by their operator ids in the chat; unknown ids are left out. */
export async function staffUsersOf(db: Db, operatorIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (operatorIds.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('doctorAssistant')
    .select(['operatorId', 'userId'])
    .where('operatorId', 'in', [...new Set(operatorIds)])
    .execute();
  return new Map(rows.map(({ operatorId, userId }) => [operatorId, userId]));
}
