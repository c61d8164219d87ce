import { sql } from 'kysely';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { systemDeed } from '../deed.ts';
import { lockGroup } from '../inquiries/rows.ts';
import { LOST_MIN } from '../people/pool.ts';
import { assign } from './assign.ts';
import { attend } from './attend.ts';
import { noteBoard } from './board.ts';
import { moveWork } from './owner.ts';

const BATCH = 100;
const OFF_MIN = 10;

async function groupIds(context: JobContext, query: ReturnType<typeof sql<{ groupId: string }>>): Promise<string[]> {
  const { rows } = await query.execute(context.db);
  return rows.map(({ groupId }) => groupId);
}

/** Snoozed groups whose time has come go back to their owner, else into the queue. */
async function wakeSnoozed(context: JobContext): Promise<void> {
  for (const groupId of await groupIds(
    context,
    sql`
      select group_id
        from consultation_medical_group
        where work_state = 'SNOOZED' and snooze_until <= ${context.now}
        order by snooze_until limit ${BATCH}`,
  )) {
    await context.transaction(async (writing) => {
      const ctx = systemDeed(writing, context);
      const { group } = await lockGroup(ctx.tx, groupId);
      if (group.workState === 'SNOOZED' && group.snoozeUntil !== null && group.snoozeUntil <= ctx.now) await attend(ctx, groupId, 0);
    });
  }
}

/**
 * Assistants who have had no connection for three minutes. Who said that he attends is away from now on: otherwise his patients would
 * come back to him, and others of the pool could not take them.
 */
async function lostOnes(context: JobContext): Promise<string[]> {
  const { now } = context;
  const since = plusMs(now, -minutes(LOST_MIN));
  const { rows } = await sql<{ assistantId: string; state: string }>`
    select d.assistant_id, d.state from consultation_assistant_duty d
     where d.state <> 'OFF' and d.state_at <= ${since} and coalesce(d.last_connected_at, d.state_at) <= ${since}
       and not exists (
         select 1 from consultation_im_connection c where c.im_user_id = 'A' || d.operator_id and c.last_seen_at > ${since}
       )`.execute(context.db);
  const away = rows.filter(({ state }) => state === 'ON').map(({ assistantId }) => assistantId);
  if (away.length > 0) {
    await context.transaction(({ tx }) =>
      sql`update consultation_assistant_duty set state = 'AWAY', state_at = ${now}, version = version + 1, updated_at = ${now}
      where assistant_id = any(${away}::bigint[]) and state = 'ON' and state_at <= ${since}`.execute(tx),
    );
  }
  return rows.map(({ assistantId }) => assistantId);
}

/** Patients who wait for an owner that is gone - off for ten minutes, or without a connection for three - are given to others. */
async function freeAbandoned(context: JobContext): Promise<void> {
  const { now } = context;
  const gone = sql<{ groupId: string }>`
    select g.group_id from consultation_medical_group g join consultation_assistant_duty d on d.assistant_id = g.owner_assistant_id
     where g.work_state = 'SERVING' and g.waiting_since is not null
       and (
         d.state = 'OFF' and d.state_at <= ${plusMs(now, -minutes(OFF_MIN))} or d.assistant_id = any(${await lostOnes(context)}::bigint[])
       )
     order by g.waiting_since limit ${BATCH}`;
  for (const groupId of await groupIds(context, gone)) {
    await context.transaction(async (writing) => {
      const ctx = systemDeed(writing, context);
      const { group } = await lockGroup(ctx.tx, groupId);
      if (group.workState !== 'SERVING' || group.waitingSince === null) return;
      await noteBoard(ctx, group, 'OWNER_GONE', { from: group.ownerAssistantId });
      const queued = await moveWork(ctx, group, 'offDuty', {});
      // Somebody who is not there either would lose it again at the next look.
      await assign(ctx, queued, null, true);
    });
  }
}

/** Keeps the queue moving. */
export const queueJob = job({
  name: 'consultation.queue',
  label: '接待队列处理',
  everySeconds: 30,
  async run(_data, context) {
    await wakeSnoozed(context);
    await freeAbandoned(context);
  },
});
