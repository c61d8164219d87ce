import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { overdue } from '../groups/listRows.ts';
import { inPool } from '../people/pool.ts';

export interface QueueCounts {
  queued: number;
  serving: number;
  snoozed: number;
  overSla: number;
}
export interface AssistantCounts extends QueueCounts {
  operatorId: string;
  /** Another one whenever the waiting groups of his pool are others, or wait for something else. */
  mark: string;
}

/** What waits for the pools of these assistants, and what they serve; one statement for all of them. */
export async function countsOf(db: Db, operatorIds: readonly string[], now: Instant): Promise<AssistantCounts[]> {
  const mine = sql`g.work_state = 'QUEUED' and ${inPool(sql.ref('me.assistant_id'))}`;
  const own = sql`g.owner_assistant_id = me.assistant_id`;
  const { rows } = await sql<AssistantCounts>`
    select me.operator_id, count(*) filter (where ${mine})::int as queued,
        count(*) filter (where g.work_state = 'SERVING' and ${own})::int as serving,
        count(*) filter (where g.work_state = 'SNOOZED' and ${own})::int as snoozed,
        count(*) filter (where ${overdue(now)} and (${own} or ${mine}))::int as over_sla,
        md5(
          coalesce(
            string_agg(
              g.group_id || ' ' || coalesce(g.sla_due_at::text, '') || ' ' || g.priority, ',' order by g.group_id
            ) filter (where ${mine}),
            ''
          )
        ) as mark
      from consultation_assistant_duty me
      left join consultation_medical_group g on g.work_state <> 'DONE'
      where me.operator_id = any(${[...operatorIds]}::bigint[]) and me.person_state <> 'DISABLED'
      group by me.assistant_id`.execute(db);
  return rows;
}
