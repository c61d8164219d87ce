import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { ownTx } from '../database.ts';

type Acting = Pick<Writing, 'tx'> & { now: Instant };

/** Moves an assistant's count of open inquiries; counts are kept by the rows of doctor_assistant_load and recounted every night. */
async function changeLoad(ctx: Acting, assistantId: string | null, by: number): Promise<void> {
  if (assistantId === null || by === 0) return;
  await sql`
    update doctor_assistant
      set active_count = greatest(0, active_count + ${by}), updated_at = ${ctx.now}
      where id = ${assistantId}`.execute(ctx.tx);
}

/** The row of an order, locked: both who chooses an assistant and the news of an inquiry may be the first to write it. */
async function rowOf(ctx: Acting, orderId: string, doctorId: string) {
  await ownTx(ctx.tx)
    .insertInto('doctorAssistantLoad')
    .values({ orderId, doctorId, assistantId: null, open: false, takenAt: ctx.now, updatedAt: ctx.now })
    .onConflict((conflict) => conflict.column('orderId').doNothing())
    .execute();
  return ownTx(ctx.tx).selectFrom('doctorAssistantLoad').selectAll().where('orderId', '=', orderId).forUpdate().executeTakeFirstOrThrow();
}

/** Notes that an order stands in an assistant's load. His count was moved by whoever chose him; who had it before has it no more. */
export async function notePlace(ctx: Acting, place: { orderId: string; doctorId: string; assistantId: string }): Promise<void> {
  const known = await rowOf(ctx, place.orderId, place.doctorId);
  await ownTx(ctx.tx)
    .updateTable('doctorAssistantLoad')
    .set({ doctorId: place.doctorId, assistantId: place.assistantId, open: true, takenAt: ctx.now, updatedAt: ctx.now })
    .where('orderId', '=', place.orderId)
    .execute();
  if (known.open) await changeLoad(ctx, known.assistantId, -1);
}

export interface InquiryNews {
  orderId: string;
  inquiryId: string;
  doctorId: string;
  /** Who serves it now; null: nobody yet, or not said. */
  assistantId: string | null;
  open: boolean;
  /** Place of the event in the inquiry's history; an older one changes nothing. */
  seq: number;
  /** Seconds until the first reply, once there is one. */
  replySeconds?: number;
}

/** Brings the projection and the counts of whoever had and has the inquiry up to date. */
export async function onInquiryChanged(ctx: Acting, news: InquiryNews): Promise<void> {
  const known = await rowOf(ctx, news.orderId, news.doctorId);
  if (known.seq > news.seq) return;
  const assistant =
    news.assistantId === null
      ? undefined
      : await ownTx(ctx.tx).selectFrom('doctorAssistant').select('id').where('id', '=', news.assistantId).executeTakeFirst();
  const assistantId = assistant?.id ?? known.assistantId ?? null;
  const fresh = {
    doctorId: news.doctorId,
    assistantId,
    inquiryId: news.inquiryId,
    open: news.open,
    seq: news.seq,
    firstReplySec: news.replySeconds ?? known.firstReplySec ?? null,
    updatedAt: ctx.now,
  };
  await ownTx(ctx.tx).updateTable('doctorAssistantLoad').set(fresh).where('orderId', '=', news.orderId).execute();
  // Smaller id first, so that two events that cross do not wait for each other.
  const moves = [
    { id: known.open ? known.assistantId : null, by: -1 },
    { id: news.open ? assistantId : null, by: 1 },
  ].filter(({ id }) => id !== null);
  if (moves.length === 2 && moves[0]!.id === moves[1]!.id) return;
  for (const { id, by } of moves.toSorted((a, b) => Number(a.id) - Number(b.id))) await changeLoad(ctx, id, by);
}

/** The order came to nothing before an inquiry was opened: its place is free again. */
export async function freePlace(ctx: Acting, orderId: string): Promise<void> {
  const row = await ownTx(ctx.tx)
    .updateTable('doctorAssistantLoad')
    .set({ open: false, updatedAt: ctx.now })
    .where('orderId', '=', orderId)
    .where('open', '=', true)
    .returning('assistantId')
    .executeTakeFirst();
  if (row) await changeLoad(ctx, row.assistantId, -1);
}

/** Moves a doctor's open inquiries to another assistant. @returns how many. */
export async function moveInquiries(ctx: Acting, move: { doctorId: string; from: string; to: string }): Promise<number> {
  const moved = await ownTx(ctx.tx)
    .updateTable('doctorAssistantLoad')
    .set({ assistantId: move.to, updatedAt: ctx.now })
    .where('doctorId', '=', move.doctorId)
    .where('assistantId', '=', move.from)
    .where('open', '=', true)
    .returning('orderId')
    .execute();
  await changeLoad(ctx, move.from, -moved.length);
  await changeLoad(ctx, move.to, moved.length);
  return moved.length;
}

/** Counts everybody's open rows again. @returns how many counts were wrong. */
export async function recount(ctx: Acting): Promise<number> {
  const { rows } = await sql`
    with counted as (
      select a.id, (select count(*)::int from doctor_assistant_load l where l.assistant_id = a.id and l.open) as n
        from doctor_assistant a for update
    ) update doctor_assistant a
    set active_count = c.n, updated_at = ${ctx.now}
    from counted c
    where c.id = a.id and a.active_count <> c.n
    returning a.id`.execute(ctx.tx);
  return rows.length;
}
