import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';

export const ASSISTANT_TARGET = 'doctor.assistant';

/** Assistants (alias `a`) are limited for who sees his own alone: himself, those he leads, those he entered. */
export const seesAssistant = ({ userId, scope }: Viewer): RawBuilder<SqlBool> =>
  scope.own
    ? sql<SqlBool>`(
      a.user_id = ${userId}
      or a.created_by = ${userId}
      or exists (select from doctor_assistant l where l.id = a.leader_id and l.user_id = ${userId})
    )`
    : sql<SqlBool>`true`;

export const assistantRecords = recordOf((db) => own(db).selectFrom('doctorAssistant as a').selectAll('a')).with({
  type: ASSISTANT_TARGET,
  id: 'a.id',
  scope: seesAssistant,
});
export type AssistantRecord = Awaited<ReturnType<typeof assistantRecords.get>>;
