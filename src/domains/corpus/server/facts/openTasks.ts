import type { Db } from '#kernel/server/context.ts';
import { staffUsersOf } from '#domains/doctor/server/index.ts';
import { own } from '../database.ts';
import { openUnits, type Unit } from './units.ts';

/** Tasks that each conversation's assistant has in hand; a conversation that nobody answers for has none. */
export async function openTasksOf(
  db: Db,
  units: readonly { patientId: string; conversationId: string | null }[],
  known?: ReadonlyMap<string, Unit[]>,
): Promise<ReadonlyMap<string, number>> {
  const open = [...(known ?? (await openUnits(db, [...new Set(units.map(({ patientId }) => patientId))]))).values()].flat();
  const answering = open.flatMap(({ conversationId, assistantOperatorId }) =>
    assistantOperatorId === null ? [] : [{ conversationId, assistantOperatorId }],
  );
  const users = await staffUsersOf(
    db,
    answering.map(({ assistantOperatorId }) => assistantOperatorId),
  );
  if (users.size === 0) return new Map();
  const rows = await own(db)
    .selectFrom('corpusFollowTask')
    .select(({ fn }) => ['assigneeId', fn.countAll<number>().as('count')])
    .where('state', '=', 'DOING')
    .where('assigneeId', 'in', [...new Set(users.values())])
    .groupBy('assigneeId')
    .execute();
  const counts = new Map(rows.map(({ assigneeId, count }) => [assigneeId, Number(count)]));
  return new Map(
    answering.flatMap(({ conversationId, assistantOperatorId }) => {
      const user = users.get(assistantOperatorId);
      return user === undefined ? [] : [[conversationId, counts.get(user) ?? 0] as const];
    }),
  );
}
