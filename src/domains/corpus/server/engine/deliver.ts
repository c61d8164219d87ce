import { Refusal } from '../../../../kernel/contract/errors.ts';
import { dayOf, minutes, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
import { asSystem } from '../../../../kernel/server/command/acting.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { JobContext } from '../../../../kernel/server/jobs/declaration.ts';
import { findByClientMsgId, ImError, imCodes, postMessage, type EngineMessage } from '../../../consultation/server/index.ts';
import { inWindow, nextOpening } from '../../contract/engine/window.ts';
import { corpusDb, corpusTx } from '../database.ts';
import { raiseSendFail } from '../tasks/sources.ts';
import { countsAsTouch, type Bubble, type Send } from './claim.ts';

/** Minutes between the tries of a message that the chat refuses; after the last one it has failed. */
const AGAIN = [1, 5, 15];
/** Seconds after which a message whose result is not known is sent again, as the identical call. */
const UNKNOWN_MS = 30_000;
/** Bubbles may follow their claim so long, whatever the time of day. */
const FOLLOWS_MS = minutes(1);

const bubblesOf = (send: Send): Bubble[] => send.bubbles as Bubble[];

/** An answer of the chat, not a fault on the way: it carries the chat's number. */
const isRefusal = (error: unknown): boolean => error instanceof ImError || error instanceof Refusal;

const settle = (
  tx: Tx,
  send: Send,
  set: Partial<Pick<Send, 'state' | 'leaseUntil' | 'nextTryAt' | 'lastError' | 'attempts' | 'sentAt' | 'lastSeq'>> & { bubbles?: string },
  now: Instant,
) =>
  corpusTx(tx)
    .updateTable('corpusFollowSend')
    .set((eb) => ({ ...set, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', send.id)
    .execute();

/** A touch that is claimed and stands with nobody: just claimed, or its lease is over. */
const lockClaimed = (tx: Tx, id: string) =>
  corpusTx(tx)
    .selectFrom('corpusFollowSend')
    .selectAll()
    .where('id', '=', id)
    .where('state', 'in', ['SENDING', 'UNKNOWN'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

/** The chat takes few messages of an engine a second in one conversation; that is no fault and counts as no try. */
const TOO_OFTEN_MS = 2_000;
const isTooOften = (error: unknown): boolean => error instanceof ImError && error.code === imCodes.TOO_OFTEN[0];

/** A claim of which nothing was sent was no touch of its day. */
async function uncount(tx: Tx, send: Send): Promise<void> {
  if (!countsAsTouch(send)) return;
  await corpusTx(tx)
    .updateTable('corpusTouchCounter')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('patientId', '=', send.patientId)
    .where('day', '=', dayOf(send.claimedAt!))
    .where('count', '>', 0)
    .execute();
}

/** Whether the chat has any bubble of a touch, also where the engine was not told. */
async function isBegun(tx: Tx, send: Send): Promise<boolean> {
  for (const { key, seq } of bubblesOf(send))
    if (seq !== null || (await findByClientMsgId(tx, send.conversationId!, key)) !== null) return true;
  return false;
}

/** Whether the run goes on, which may have been stopped since the claim; a touch of no run has nothing to wait for. */
const isRunning = async (tx: Tx, { runId }: Send): Promise<boolean> =>
  runId === null ||
  (await corpusTx(tx).selectFrom('corpusFollowRun').select('state').where('id', '=', runId).executeTakeFirst())?.state === 'RUNNING';

/** Gives a touch back of which the chat has nothing: it passes the gates again, so that nothing stale or unwanted is sent late. */
async function giveBack(tx: Tx, send: Send, set: Partial<Pick<Send, 'nextTryAt' | 'lastError' | 'attempts'>>, now: Instant): Promise<void> {
  await settle(tx, send, { state: 'PLANNED', leaseUntil: null, ...set }, now);
  await uncount(tx, send);
}

/** What the chat refused is tried again, later and later; then it has failed. */
async function refused(job: JobContext, id: string, error: unknown): Promise<void> {
  await job.transaction(async (writing) => {
    const send = await lockClaimed(writing.tx, id);
    if (!send) return;
    const { now } = job;
    const lastError = (error as Error).message.slice(0, 500);
    if (isTooOften(error)) return void (await settle(writing.tx, send, { leaseUntil: plusMs(now, TOO_OFTEN_MS) }, now));
    const begun = await isBegun(writing.tx, send);
    const wait = AGAIN[send.attempts - 1];
    const again = plusMs(now, minutes(wait ?? 0));
    if (wait === undefined) {
      await settle(writing.tx, send, { state: 'FAILED', leaseUntil: null, lastError }, now);
      await raiseSendFail(asSystem(writing, job), send, lastError);
      if (!begun) await uncount(writing.tx, send);
    } else if (begun) await settle(writing.tx, send, { state: 'SENDING', leaseUntil: again, lastError, attempts: send.attempts + 1 }, now);
    else await giveBack(writing.tx, send, { nextTryAt: again, lastError }, now);
  });
}

/** Nobody knows whether the chat has it: asked again by the same keys, which is safe. */
const unknown = (job: JobContext, id: string, error: unknown) =>
  job.transaction(async (writing) => {
    const send = await lockClaimed(writing.tx, id);
    if (send)
      await settle(
        writing.tx,
        send,
        { state: 'UNKNOWN', leaseUntil: plusMs(job.now, UNKNOWN_MS), lastError: String(error).slice(0, 500) },
        job.now,
      );
  });

/**
 * Second half of sending (R7, T2): writes the bubbles of a claimed touch into the chat and keeps their numbers in the same transaction.
 * A repeat names the same keys, which the chat answers with the first messages; one that comes late and of which the chat has nothing
 * passes the gates again instead.
 * @returns whether it is sent
 */
export async function deliver(job: JobContext, id: string): Promise<boolean> {
  const { now, kernel } = job;
  try {
    return await job.transaction(async (writing) => {
      const send = await lockClaimed(writing.tx, id);
      if (!send) return false;
      const late = plusMs(send.claimedAt!, FOLLOWS_MS) < now;
      if (late || !(await isRunning(writing.tx, send))) {
        if (!(await isBegun(writing.tx, send))) {
          // The chat did not refuse it: that was no try.
          await giveBack(writing.tx, send, { nextTryAt: now, attempts: send.attempts - 1 }, now);
          return false;
        }
        if (late && !send.immediate && !inWindow(now)) {
          await settle(writing.tx, send, { leaseUntil: nextOpening(now) }, now);
          return false;
        }
      }
      const bubbles: Bubble[] = [];
      for (const bubble of bubblesOf(send)) {
        if (bubble.seq !== null) {
          bubbles.push(bubble);
          continue;
        }
        // Rendered by the engine itself when the touch was claimed.
        const { type, payload } = bubble as Pick<EngineMessage['bubble'], 'type' | 'payload'> & Bubble;
        const stored = await postMessage(
          kernel,
          writing,
          {
            conversationId: send.conversationId!,
            senderRole: 'ASSISTANT',
            senderId: send.senderId,
            clientMsgId: bubble.key,
            bubble: { type, payload },
            sourceRef: `corpus:send:${send.id}`,
          },
          now,
        );
        bubbles.push({ ...bubble, seq: stored.seq });
      }
      await settle(
        writing.tx,
        send,
        {
          state: 'SENT',
          leaseUntil: null,
          lastError: null,
          sentAt: now,
          lastSeq: String(bubbles.at(-1)!.seq),
          bubbles: JSON.stringify(bubbles),
        },
        now,
      );
      if (send.runId === null) return true;
      await corpusTx(writing.tx)
        .updateTable('corpusFollowRun')
        .set((eb) => ({ sentCount: eb('sentCount', '+', 1) }))
        .where('id', '=', send.runId)
        .execute();
      return true;
    });
  } catch (error) {
    await (isRefusal(error) ? refused : unknown)(job, id, error);
    return false;
  }
}

/** Touches that a process left behind, and those whose turn to be tried again has come. */
export async function overdueLeases(job: JobContext, now: Instant, limit: number): Promise<string[]> {
  const rows = await corpusDb(job.db)
    .selectFrom('corpusFollowSend')
    .select('id')
    .where('state', 'in', ['SENDING', 'UNKNOWN'])
    .where('leaseUntil', '<=', now)
    .orderBy('leaseUntil')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
