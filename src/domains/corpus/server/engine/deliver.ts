import { sql } from 'kysely';
import type { Refusal } from '#kernel/contract/errors.ts';
import { dayOf, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import { WITH_COMMIT } from '#kernel/server/database/roundTrips.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { findPosted, ImError, imCodes, postMessages, type EngineMessage } from '#domains/consultation/server/index.ts';
import { inWindow, nextOpening } from '../../contract/engine/window.ts';
import { own, ownTx } from '../database.ts';
import { raiseSendFail } from '../tasks/sources.ts';
import { countsAsTouch, type Bubble, type Send } from './claim.ts';
import { settingForShare } from './setting.ts';
import { coveringSwitches, type ActiveSwitch } from './switches.ts';

/** Minutes between the tries of a message that the chat refuses; after the last one it has failed. */
const AGAIN = [1, 5, 15];
/** Seconds after which a message whose result is not known is sent again, as the identical call. */
const UNKNOWN_MS = 30_000;
/** Bubbles may follow their claim so long, whatever the time of day. */
const FOLLOWS_MS = minutes(1);

/** A touch that is being sent, with its bubbles as far as the chat has them. */
interface Going {
  send: Send;
  bubbles: Bubble[];
  /** Why the chat did not take the next one. */
  refusal: ImError | Refusal | null;
}

const bubblesOf = (send: Send): Bubble[] => send.bubbles as Bubble[];
const toJson = (bubbles: readonly Bubble[]) => JSON.stringify(bubbles);

const settle = (
  tx: Tx,
  send: Send,
  set: Partial<Pick<Send, 'state' | 'leaseUntil' | 'nextTryAt' | 'lastError' | 'attempts' | 'conversationId' | 'senderId'>> & {
    bubbles?: string;
  },
  now: Instant,
) =>
  ownTx(tx)
    .updateTable('corpusFollowSend')
    .set((eb) => ({ ...set, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', send.id)
    .execute();

/**
 * A claimed touch with what switches may cover of it; `halted`: its run does not go on, it may have been stopped since the claim. One of
 * no run has nothing to wait for.
 */
type Claimed = Send & { halted: boolean; sceneId: string | null; doctorId: string | null };

/** Touches that are claimed and stand with nobody: just claimed, or their lease is over. */
const lockClaimed = (tx: Tx, ids: readonly string[]): Promise<Claimed[]> =>
  ownTx(tx)
    .selectFrom('corpusFollowSend as s')
    .leftJoin('corpusFollowRun as r', 'r.id', 's.runId')
    .selectAll('s')
    .select(['r.sceneId', 'r.doctorId'])
    .select(sql<boolean>`r.id is not null and r.state <> 'RUNNING'`.as('halted'))
    .where(({ eb, fn }) => eb('s.id', '=', fn.any(sql<string[]>`${[...ids]}::bigint[]`)))
    .where('s.state', 'in', ['SENDING', 'UNKNOWN'])
    .orderBy('s.id')
    .forUpdate('s')
    .skipLocked()
    .execute();

/** The chat takes few messages of an engine a second in one conversation; that is no fault and counts as no try. */
const TOO_OFTEN_MS = 2_000;
/** A touch of which the chat has a part waits so long before it is looked at again whether a switch covers it still. */
const COVERED_MS = 30_000;
const isTooOften = (error: Error): boolean => error instanceof ImError && error.code === imCodes.TOO_OFTEN[0];

/** A claim of which nothing was sent was no touch of its day. */
async function uncount(tx: Tx, send: Send): Promise<void> {
  if (!countsAsTouch(send)) return;
  await ownTx(tx)
    .updateTable('corpusTouchCounter')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('patientId', '=', send.patientId)
    .where('day', '=', dayOf(send.claimedAt!))
    .where('count', '>', 0)
    .execute();
}

/** Touches of which the chat has a bubble, also where the engine was not told. */
async function begunOf(tx: Tx, sends: readonly Send[]): Promise<ReadonlySet<Send>> {
  const keys = sends.flatMap((send) => bubblesOf(send).map(({ key }) => ({ conversationId: send.conversationId!, clientMsgId: key })));
  const posted = await findPosted(tx, keys);
  return new Set(
    sends.filter((send) => bubblesOf(send).some(({ key, seq }) => seq !== null || posted.has(`${send.conversationId}|${key}`))),
  );
}

/** Gives a touch back of which the chat has nothing: it passes the gates again, so that nothing stale or unwanted is sent late. */
async function giveBack(
  tx: Tx,
  send: Send,
  set: Partial<Pick<Send, 'nextTryAt' | 'lastError' | 'attempts' | 'conversationId' | 'senderId'>>,
  now: Instant,
): Promise<void> {
  await settle(tx, send, { state: 'PLANNED', leaseUntil: null, ...set }, now);
  await uncount(tx, send);
}

/** What the chat refused is tried again, later and later; then it has failed. What it took before stays. */
async function refused(writing: Writing, job: JobContext, { send, bubbles, refusal }: Going): Promise<void> {
  const { now } = job;
  const kept = { bubbles: toJson(bubbles), lastError: refusal!.message.slice(0, 500) };
  if (isTooOften(refusal!))
    return void (await settle(writing.tx, send, { bubbles: kept.bubbles, leaseUntil: plusMs(now, TOO_OFTEN_MS) }, now));
  const begun = bubbles.some(({ seq }) => seq !== null);
  const wait = AGAIN[send.attempts - 1];
  const again = plusMs(now, minutes(wait ?? 0));
  if (wait === undefined) {
    await settle(writing.tx, send, { state: 'FAILED', leaseUntil: null, ...kept }, now);
    await raiseSendFail(asSystem(writing, job), send, kept.lastError);
    if (!begun) await uncount(writing.tx, send);
  } else if (begun) await settle(writing.tx, send, { state: 'SENDING', leaseUntil: again, ...kept, attempts: send.attempts + 1 }, now);
  // The chat has nothing of it, so the next try need not be the identical call: the assistant may have left, the group be closed.
  else
    await giveBack(
      writing.tx,
      send,
      { nextTryAt: again, lastError: kept.lastError, ...(send.runId !== null && { conversationId: null, senderId: null }) },
      now,
    );
}

/** Nobody knows whether the chat has it: asked again by the same keys, which is safe. */
const unknown = (job: JobContext, id: string, error: unknown) =>
  job.transaction(async (writing) => {
    const [send] = await lockClaimed(writing.tx, [id]);
    if (send)
      await settle(
        writing.tx,
        send,
        { state: 'UNKNOWN', leaseUntil: plusMs(job.now, UNKNOWN_MS), lastError: String(error).slice(0, 500) },
        job.now,
      );
  });

const isCovered = (switches: readonly ActiveSwitch[], { sceneId, doctorId, patientId, conversationId }: Claimed): boolean =>
  switches.some((one) => one.covers({ run: { sceneId: sceneId ?? '', doctorId, patientId }, conversationId: conversationId! }));

/**
 * Leaves out what must not be sent now: of stopped runs, what a switch covers, and what comes late; of what the chat has a part it gets
 * the rest in the hours, once no switch covers it.
 */
async function fitToGo(writing: Writing, sends: readonly Claimed[], now: Instant): Promise<Claimed[]> {
  const switches = await coveringSwitches(writing.tx, now);
  const covered = new Set(sends.filter((send) => isCovered(switches, send)));
  const late = new Set(sends.filter(({ claimedAt }) => plusMs(claimedAt!, FOLLOWS_MS) < now));
  const doubtful = sends.filter((send) => late.has(send) || send.halted || covered.has(send));
  const begun = await begunOf(writing.tx, doubtful);
  const left = new Set<Send>();
  for (const send of doubtful) {
    const outside = late.has(send) && !send.immediate && !inWindow(now);
    const waits = begun.has(send) && (outside || covered.has(send));
    if (waits) await settle(writing.tx, send, { leaseUntil: outside ? nextOpening(now) : plusMs(now, COVERED_MS) }, now);
    // The chat did not refuse it: that was no try.
    else if (!begun.has(send)) await giveBack(writing.tx, send, { nextTryAt: now, attempts: send.attempts - 1 }, now);
    if (waits || !begun.has(send)) left.add(send);
  }
  return sends.filter((send) => !left.has(send));
}

/** Writes the next bubble of each, so that a person reads them in their order; @returns whether there was any. */
async function postNext(job: JobContext, writing: Writing, going: readonly Going[]): Promise<boolean> {
  const next = going.flatMap((one) => {
    const bubble = one.refusal === null ? one.bubbles.find(({ seq }) => seq === null) : undefined;
    return bubble ? [{ one, bubble }] : [];
  });
  if (next.length === 0) return false;
  const results = await postMessages(
    job.kernel,
    writing,
    next.map(({ one: { send }, bubble }) => {
      // Rendered by the engine itself when the touch was claimed.
      const { type, payload } = bubble as Pick<EngineMessage['bubble'], 'type' | 'payload'> & Bubble;
      return {
        conversationId: send.conversationId!,
        senderRole: 'ASSISTANT' as const,
        senderId: send.senderId,
        clientMsgId: bubble.key,
        bubble: { type, payload },
        sourceRef: `corpus:send:${send.id}`,
      };
    }),
    job.now,
  );
  next.forEach(({ one, bubble }, at) => {
    const answer = results[at]!;
    if (answer instanceof Error) one.refusal = answer;
    else one.bubbles = one.bubbles.map((other) => (other === bubble ? { ...other, seq: answer.seq } : other));
  });
  return true;
}

/** A switch was thrown while touches that it covers were written into the chat. */
class Stopped extends Error {}

/**
 * Holds whoever throws a switch back until what was written is committed, and lets nothing be committed that a switch covers: however
 * slow the chat was, no message is stored after a switch. @throws Stopped
 */
async function stillMayGo(tx: Tx, sends: readonly Claimed[], now: Instant): Promise<void> {
  if (sends.length === 0) return;
  await settingForShare(tx);
  const switches = await coveringSwitches(tx, now);
  if (sends.some((send) => isCovered(switches, send))) throw new Stopped();
}

/** Marks touches as sent and counts them in their runs, which are locked in the order of their ids. */
async function markSent(tx: Tx, sent: readonly Going[], now: Instant): Promise<void> {
  if (sent.length === 0) return;
  const rows = sent.map(({ send, bubbles }) => ({ id: send.id, last_seq: bubbles.at(-1)!.seq, bubbles }));
  await sql`
    with sent as (
      update corpus_follow_send s
        set state = 'SENT', lease_until = null, last_error = null, sent_at = ${now}::timestamptz, last_seq = r.last_seq,
          bubbles = r.bubbles, version = s.version + 1, updated_at = ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, last_seq bigint, bubbles jsonb)
        where s.id = r.id
        returning s.run_id
    ),
    counted as (select run_id, count(*)::int as n from sent where run_id is not null group by run_id ),
    locked as (
      select r.id from corpus_follow_run r where r.id in (select run_id from counted) order by r.id for no key update
    ) update corpus_follow_run r
    set sent_count = r.sent_count + c.n
    from counted c
    join locked l on l.id = c.run_id
    where r.id = c.run_id${sql.raw(WITH_COMMIT)}`.execute(tx);
}

/**
 * Second half of sending (R7, T2): writes the bubbles of claimed touches into the chat and keeps their numbers in the same transaction.
 * A repeat names the same keys, which the chat answers with the first messages; one that comes late and of which the chat has nothing
 * passes the gates again instead, and so does one that a switch covers. Where many fail together each is sent by itself.
 * @returns how many are sent
 */
export async function deliver(job: JobContext, ids: readonly string[]): Promise<number> {
  const { now } = job;
  try {
    return await job.transaction(async (writing) => {
      const sends = await fitToGo(writing, await lockClaimed(writing.tx, ids), now);
      const going = sends.map((send): Going => ({ send, bubbles: bubblesOf(send), refusal: null }));
      while (await postNext(job, writing, going));
      await stillMayGo(writing.tx, sends, now);
      const sent = going.filter(({ refusal }) => refusal === null);
      await markSent(writing.tx, sent, now);
      for (const one of going) if (one.refusal !== null) await refused(writing, job, one);
      return sent.length;
    });
  } catch (error) {
    // Nothing of it was stored. What the switch covers is given back now, the rest goes on.
    if (error instanceof Stopped) return deliver(job, ids);
    let sent = 0;
    if (ids.length > 1) for (const id of ids) sent += await deliver(job, [id]);
    else for (const id of ids) await unknown(job, id, error);
    return sent;
  }
}

/** Touches that a process left behind, and those whose turn to be tried again has come. */
export async function overdueLeases(job: JobContext, now: Instant, limit: number): Promise<string[]> {
  const rows = await own(job.db)
    .selectFrom('corpusFollowSend')
    .select('id')
    .where('state', 'in', ['SENDING', 'UNKNOWN'])
    .where('leaseUntil', '<=', now)
    .orderBy('leaseUntil')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
