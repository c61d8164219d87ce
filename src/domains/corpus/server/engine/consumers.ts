import { sql } from 'kysely';
import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { conversationClosed, conversationOpened, messagePosted, messageRead, visitRecordCompleted } from '#events/consultation.ts';
import { doctorChanged } from '#events/doctor.ts';
import { workCalendarChanged } from '#events/identity.ts';
import { orderPaid } from '#events/order.ts';
import { consentChanged, patientCancelled, patientDeceased, patientMerged, recordChanged } from '#events/patient.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { own } from '../database.ts';
import { openUnits } from '../facts/units.ts';
import { greetOpened } from '../welcome/greet.ts';
import { answerByReply } from '../questionnaires/replies.ts';
import { convert } from './attribution.ts';
import { evaluatePatientJob, replanJob } from './jobs.ts';
import { liveRunIds, stopAll } from './lifecycle.ts';
import { snapshotsOf } from './published.ts';
import { lockRuns, pauseRun, stopRun } from './runs.ts';

/** Changes of a person within this time are judged together. */
const COALESCE_MS = 30_000;
/** A patient's message answers a touch sent within this time. */
const REPLY_MS = hours(48);

/** Has a person judged soon. */
const soon = (ctx: ConsumerContext, patientId: string) =>
  ctx.enqueue(evaluatePatientJob, { patientId }, { startAfter: plusMs(ctx.now, COALESCE_MS), singletonKey: patientId });

/** The same, unless nothing in the running versions asks for what changed. */
async function soonIfAsked(ctx: ConsumerContext, patientId: string, event: string): Promise<void> {
  const { rows } = await sql`
    select 1
      from corpus_package_version v
      join corpus_variable_info i on ${event} = any(i.refresh_on)
      where v.state = 'PUBLISHED'
        and (
          jsonb_path_exists(v.snapshot, '$.launch[*].variableCode ? (@ == $code)', jsonb_build_object('code', i.variable_code))
          or jsonb_path_exists(v.snapshot, '$.mainLaunch[*].variableCode ? (@ == $code)', jsonb_build_object('code', i.variable_code))
          or jsonb_path_exists(v.snapshot, '$.stop[*].variableCode ? (@ == $code)', jsonb_build_object('code', i.variable_code))
        )
      limit 1`.execute(ctx.tx);
  if (rows.length > 0) await soon(ctx, patientId);
}

interface ReceivedMessage {
  conversationId: string;
  seq: number;
  patientId: string | null;
  senderRole: 'PATIENT' | 'DOCTOR';
  at: Instant;
}

/** A human message stops the clock of the live runs there that want it (R8). */
async function pauseByReply(ctx: Acting, message: ReceivedMessage): Promise<void> {
  const runs = await lockRuns(ctx.tx, await liveRunIds(ctx.tx, { conversationId: message.conversationId }));
  const live = runs.filter(({ state }) => state === 'RUNNING' || state === 'PAUSED');
  const snapshots = await snapshotsOf(
    ctx.tx,
    live.map(({ packageVersionId }) => packageVersionId),
  );
  const wants = (policy: PackageSnapshot['policy']) =>
    message.senderRole === 'PATIENT' ? policy.pauseOnPatientReply : policy.pauseOnDoctorReply;
  for (const run of live) {
    const { policy } = snapshots.get(run.packageVersionId)!;
    if (!wants(policy) || message.at < run.enteredAt) continue;
    await pauseRun(ctx, run, message.senderRole === 'PATIENT' ? 'PATIENT_REPLY' : 'DOCTOR_REPLY', {
      at: message.at,
      pauseHours: policy.pauseHours,
    });
  }
}

/**
 * The last touch there that the patient had not answered yet is answered (R11).
 * @returns whether the message was what its questionnaire asked
 */
async function noteReply(ctx: Acting, message: ReceivedMessage): Promise<boolean> {
  const { rows } = await sql<{ id: string; runId: string | null }>`
    update corpus_follow_send s
      set replied_at = ${message.at}, updated_at = s.updated_at
      where s.id = (
        select l.id
          from corpus_follow_send l
          where l.conversation_id = ${message.conversationId} and l.state = 'SENT' and l.sent_at <= ${message.at}::timestamptz
          order by l.sent_at desc, l.id desc limit 1
      )
        and s.replied_at is null
        and s.sent_at > ${plusMs(message.at, -REPLY_MS)}::timestamptz
      returning s.id, s.run_id`.execute(ctx.tx);
  let answered = false;
  for (const { id, runId } of rows) {
    if (runId !== null) {
      await sql`update corpus_follow_run set replied_count = replied_count + 1 where id = ${runId}`.execute(ctx.tx);
      await convert(ctx, { runId }, 'REPLY', 'consultation.message.posted', message.at);
    }
    if (await answerByReply(ctx, { sendId: id, ...message })) answered = true;
  }
  return answered;
}

const ofHumans = (
  items: readonly { conversationId: string; seq: number; patientId: string | null; senderRole: string; source: string; at: Instant }[],
): ReceivedMessage[] =>
  items.flatMap(({ senderRole, source, ...said }) =>
    source === 'HUMAN' && (senderRole === 'PATIENT' || senderRole === 'DOCTOR') ? [{ ...said, senderRole }] : [],
  );

export const engineConsumers = [
  consumer('corpus', messagePosted, async ({ payload }, ctx) => {
    for (const message of ofHumans(payload.items)) {
      const acting = asSystem(ctx, ctx);
      const isAnswer = message.senderRole === 'PATIENT' && (await noteReply(acting, message));
      // Who says what he was asked needs nobody to answer him.
      if (!isAnswer) await pauseByReply(acting, message);
      if (message.patientId !== null) await soonIfAsked(ctx, message.patientId, messagePosted.name);
    }
  }),
  consumer('corpus', messageRead, async ({ payload }, ctx) => {
    const { rows } = await sql<{ runId: string | null; patientId: string }>`
      update corpus_follow_send
        set read_at = ${payload.at}
        where conversation_id = ${payload.conversationId} and state = 'SENT' and read_at is null and last_seq <= ${payload.readSeq}
        returning run_id, patient_id`.execute(ctx.tx);
    for (const { runId } of rows)
      if (runId !== null) await sql`update corpus_follow_run set read_count = read_count + 1 where id = ${runId}`.execute(ctx.tx);
    for (const patientId of new Set(rows.map((row) => row.patientId))) await soonIfAsked(ctx, patientId, messageRead.name);
  }),
  consumer('corpus', recordChanged, async ({ payload }, ctx) => {
    if (payload.kind === 'INSPECTION') await convert(asSystem(ctx, ctx), payload, 'INSPECTION', recordChanged.name, payload.at);
    await soon(ctx, payload.patientId);
  }),
  consumer('corpus', orderPaid, async ({ payload }, ctx) => {
    await convert(asSystem(ctx, ctx), payload, 'ORDER_PAID', orderPaid.name, payload.at);
    await soon(ctx, payload.patientId);
  }),
  consumer('corpus', visitRecordCompleted, async ({ payload }, ctx) => {
    await convert(asSystem(ctx, ctx), payload, 'REVISIT', visitRecordCompleted.name, payload.at);
    await soon(ctx, payload.patientId);
  }),
  consumer('corpus', conversationOpened, async ({ payload }, ctx) => {
    await greetOpened(ctx, payload);
    await soon(ctx, payload.patientId);
  }),
  consumer('corpus', conversationClosed, async ({ payload }, ctx) => {
    // What goes to groups skips; a run ends only where nothing is left to write in.
    if (((await openUnits(ctx.tx, [payload.patientId])).get(payload.patientId) ?? []).length > 0) return;
    await stopAll(asSystem(ctx, ctx), await liveRunIds(ctx.tx, { patientIds: [payload.patientId] }), 'NO_CHANNEL');
  }),
  consumer('corpus', consentChanged, async ({ payload }, ctx) => {
    if (payload.consentType !== 'FOLLOW_UP') return;
    if (payload.state === 'VALID') await soon(ctx, payload.patientId);
    else await stopAll(asSystem(ctx, ctx), await liveRunIds(ctx.tx, { patientIds: [payload.patientId] }), 'CONSENT');
  }),
  consumer('corpus', patientDeceased, async ({ payload }, ctx) =>
    stopAll(asSystem(ctx, ctx), await liveRunIds(ctx.tx, { patientIds: [payload.patientId] }), 'DECEASED'),
  ),
  consumer('corpus', patientCancelled, async ({ payload }, ctx) =>
    stopAll(asSystem(ctx, ctx), await liveRunIds(ctx.tx, { patientIds: [payload.patientId] }), 'CANCELLED'),
  ),
  // The younger of two live runs of one package stops; what stands under the old record goes on under it.
  consumer('corpus', patientMerged, async ({ payload }, ctx) => {
    const acting = asSystem(ctx, ctx);
    const runs = await lockRuns(ctx.tx, await liveRunIds(ctx.tx, { patientIds: [payload.fromId, payload.intoId] }));
    for (const ofPackage of Map.groupBy(runs, ({ scenePackageId }) => scenePackageId).values())
      for (const younger of ofPackage.toSorted((a, b) => (a.enteredAt < b.enteredAt ? -1 : 1)).slice(1))
        await stopRun(acting, younger, 'MERGED');
    await soon(ctx, payload.intoId);
  }),
  consumer('corpus', workCalendarChanged, (_event, ctx) => ctx.enqueue(replanJob, {})),
  consumer('corpus', doctorChanged, async ({ payload }, ctx) => {
    const rows = await own(ctx.tx)
      .selectFrom('corpusFollowRun')
      .select('patientId')
      .distinct()
      .where('doctorId', '=', payload.doctorId)
      .where('state', 'in', ['RUNNING', 'PAUSED'])
      .execute();
    for (const { patientId } of rows) await soonIfAsked(ctx, patientId, doctorChanged.name);
  }),
];
