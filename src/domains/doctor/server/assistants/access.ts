import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import { ownTx } from '../database.ts';

export const ASSISTANT_TARGET = 'doctor.assistant';

/** Assistants (alias `a`) are limited for who sees his own alone: himself, those he leads, those he entered. */
export const seesAssistant = ({ userId, scope }: Viewer): RawBuilder<SqlBool> =>
  scope.own
    ? sql<SqlBool>`(a.user_id = ${userId} or a.created_by = ${userId} or exists (select from doctor_assistant l where l.id = a.leader_id and l.user_id = ${userId}))`
    : sql<SqlBool>`true`;

/** One assistant within the scope, locked until the transaction ends. */
export async function lockAssistant(tx: Tx, viewer: Viewer, id: string) {
  const row = await ownTx(tx)
    .selectFrom('doctorAssistant as a')
    .selectAll('a')
    .where('a.id', '=', id)
    .where(seesAssistant(viewer))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return row;
}
export type AssistantRecord = Awaited<ReturnType<typeof lockAssistant>>;
