import { sql } from 'kysely';
import { plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Db } from '#kernel/server/context.ts';
import { isolateFailures, type FailureIsolation } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { listOpenConversations, type OpenConversation } from '#domains/consultation/server/index.ts';
import { staffUsersOf } from '#domains/doctor/server/index.ts';
import { windowMsBetween } from '../../contract/engine/window.ts';
import { REPLY_DUE_MS, REPLY_WAIT_MS, taskMachine } from '../../contract/tasks/states.ts';
import { own, ownTx } from '../database.ts';
import { placeOfRun } from './places.ts';
import { raiseTask } from './raise.ts';
import { changeTask } from './rows.ts';
import { mayHandle, targetOf } from './take.ts';

const CHUNK = 200;

interface Waiting {
  id: string;
  patientId: string;
  conversationId: string;
  groupId: string | null;
  doctorId: string | null;
  diseaseId: string;
  sceneId: string;
  pausedAt: Instant;
  /** The touch that the patient answered, where it was one. */
  answeredSendId: string | null;
}

/** Runs that a patient's message paused long enough ago, one of each conversation, without a task about it that is open. */
async function waitingRuns(db: Db, now: Instant, after: string): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select distinct on (r.conversation_id) r.id, r.patient_id, r.conversation_id, r.group_id, r.doctor_id, r.disease_id, r.scene_id,
        r.paused_at,
        (
          select f.id
            from corpus_follow_send f
            where f.run_id = r.id and f.replied_at >= r.paused_at
            order by f.replied_at desc, f.id desc limit 1
        ) as answered_send_id
      from corpus_follow_run r
      where r.state = 'PAUSED'
        and r.pause_reason = 'PATIENT_REPLY'
        and r.paused_at <= ${plusMs(now, -REPLY_WAIT_MS)}::timestamptz
        and r.conversation_id > ${after}::bigint
        and not exists (
          select from corpus_follow_task t
            where t.conversation_id = r.conversation_id
              and t.task_type = 'REPLY'
              and t.patient_id = r.patient_id
              and (t.state in ('TODO', 'DOING') or t.created_at >= r.paused_at)
        )
      order by r.conversation_id, answered_send_id desc nulls last, r.id limit ${CHUNK}`.execute(db);
  return rows;
}

/** Since when the patient waits for a person in a conversation; null: somebody answered. */
export function waitsSince(pausedAt: Instant, { PATIENT, DOCTOR, ASSISTANT }: OpenConversation['lastHumanMessageAt']): Instant | null {
  const answered = [DOCTOR, ASSISTANT].reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null);
  if (answered === null || answered < pausedAt) return pausedAt;
  return PATIENT !== null && PATIENT > answered ? PATIENT : null;
}

async function raiseReply(ctx: Acting, run: Waiting, conversation: OpenConversation): Promise<void> {
  const { assistantOperatorId } = conversation;
  const user = assistantOperatorId === null ? undefined : (await staffUsersOf(ctx.tx, [assistantOperatorId])).get(assistantOperatorId);
  await raiseTask(ctx, {
    ...placeOfRun(run),
    source: run.answeredSendId === null ? { type: 'RUN', id: run.id } : { type: 'SEND', id: run.answeredSendId },
    taskType: 'REPLY',
    level: 'HIGH',
    subject: '患者回复后30分钟内无人处理，随访已暂停，请查看会话并回复',
    dueAt: plusMs(ctx.now, REPLY_DUE_MS),
    patientId: run.patientId,
    assigneeId: user !== undefined && (await mayHandle(ctx.tx, ctx.today, user)) ? user : null,
  });
}

/** Open tasks to answer somebody, whom a person has answered since. */
async function settleAnswered(ctx: JobContext, failures: FailureIsolation): Promise<void> {
  const waiting = await own(ctx.db)
    .selectFrom('corpusFollowTask')
    .select(['id', 'taskNo', 'patientId', 'conversationId', 'createdAt'])
    .where('taskType', '=', 'REPLY')
    .where('state', 'in', ['TODO', 'DOING'])
    .where('conversationId', 'is not', null)
    .execute();
  if (waiting.length === 0) return;
  const open = await listOpenConversations(ctx.db, {
    patientIds: [...new Set(waiting.map(({ patientId }) => patientId))],
    kinds: ['DOCTOR', 'C2C'],
  });
  const byId = new Map(open.map((one) => [one.conversationId, one]));
  for (const { id, taskNo, conversationId, createdAt } of waiting) {
    const conversation = conversationId === null ? undefined : byId.get(conversationId);
    if (ctx.signal.aborted || !conversation || waitsSince(createdAt, conversation.lastHumanMessageAt) !== null) continue;
    await failures.run(taskNo, () =>
      ctx.transaction(async (writing) => {
        const task = await ownTx(writing.tx)
          .selectFrom('corpusFollowTask')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirstOrThrow();
        // Somebody took it up or ended it meanwhile.
        if (task.state !== 'TODO' && task.state !== 'DOING') return;
        const acting = asSystem(writing, ctx);
        const state = await moveState(acting, taskMachine, { ...targetOf(task), action: 'settle' });
        await changeTask(acting, task, { state, nextFollowAt: null, endedAt: ctx.now });
      }),
    );
  }
}

/** Tells the assistant of every conversation in which a patient waits too long for a person. */
export async function raiseReplies(ctx: JobContext, failures = isolateFailures(ctx)): Promise<void> {
  for (let after = '0'; !ctx.signal.aborted;) {
    const runs = await waitingRuns(ctx.db, ctx.now, after);
    if (runs.length === 0) return;
    after = runs.at(-1)!.conversationId;
    const open = await listOpenConversations(ctx.db, {
      patientIds: [...new Set(runs.map((run) => run.patientId))],
      kinds: ['DOCTOR', 'C2C'],
    });
    const byId = new Map(open.map((one) => [one.conversationId, one]));
    for (const run of runs) {
      const conversation = byId.get(run.conversationId);
      const since = conversation && waitsSince(run.pausedAt, conversation.lastHumanMessageAt);
      if (!conversation || !since || windowMsBetween(since, ctx.now) < REPLY_WAIT_MS) continue;
      await failures.run(`会话${run.conversationId}`, () =>
        ctx.transaction((writing) => raiseReply(asSystem(writing, ctx), run, conversation)),
      );
    }
  }
}

/** Each minute: what was answered is done, what waits too long is told. */
export async function settleReplies(ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  await settleAnswered(ctx, failures);
  await raiseReplies(ctx, failures);
  failures.throwIfAny();
}

export const taskJobs = [
  job({ name: 'corpus.raiseReplies', label: '随访待回复提醒', everySeconds: 60, run: (_data, ctx) => settleReplies(ctx) }),
];
