import { sql } from 'kysely';
import { consumer, type Consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import {
  inquiryEnded,
  inquiryFirstReplied,
  inquiryOpened,
  inquiryRated,
  inquiryReopened,
  serviceStatusChanged,
} from '#events/consultation.ts';
import { onInquiryChanged } from '../assistants/load.ts';

interface Inquiry {
  serverId: string;
  orderId: string;
  doctorId: string;
  groupId: string | null;
  assistantId: string | null;
  to: string;
  at: string;
}

/** consultation's states in which an inquiry is over: completed, closed, refused, not accepted, refunded. */
const isOpen = (state: string) => ['0', '1', '2', '3'].includes(state);
/** Served to its end; until it is settled a day later it may be reopened. */
const ENDED = '4';
const LAST_ANSWERS = 100;

/**
 * Where the order's inquiry stands, for the page, the assistants' load and whoever wants to buy again. Events may come in any
 * order: the newest decides. A service goes on only while nothing newer of the pair was bought.
 */
async function noteInquiryState(
  ctx: ConsumerContext,
  { payload, seq }: { payload: Inquiry; seq: number },
  more: { open?: boolean; replySeconds?: number } = {},
): Promise<void> {
  const { rows } = await sql<{ served: number }>`
    with before as (
      select id, ended_at from doctor_consult_order where id = ${payload.orderId} and inquiry_seq <= ${seq} for update
    ) update doctor_consult_order o
    set inquiry_id = ${payload.serverId}, group_id = coalesce(${payload.groupId}, o.group_id),
      assistant_id = coalesce(${payload.assistantId}::bigint, o.assistant_id), inquiry_seq = ${seq}, updated_at = ${ctx.now},
      ended_at = case
        when o.state not in ('PAID', 'SERVING', 'REFUNDING') then o.ended_at
        when ${payload.to}::text = ${ENDED} then coalesce(o.ended_at, ${payload.at}::timestamptz)
        when ${isOpen(payload.to)}
        and not exists (
          select 1
            from doctor_consult_order n
            where n.patient_id = o.patient_id
              and n.opening_id = o.opening_id
              and n.id > o.id
              and n.state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING')
              and n.ended_at is null
        ) then null
        else o.ended_at
      end
    from before b
    where o.id = b.id
    returning (o.ended_at is not null)::int - (b.ended_at is not null)::int as served`.execute(ctx.tx);
  const served = rows[0]?.served ?? 0;
  if (served !== 0)
    await sql`update doctor_doctor set served_count = greatest(0, served_count + ${served}) where id = ${payload.doctorId}`.execute(ctx.tx);
  await onInquiryChanged(ctx, {
    orderId: payload.orderId,
    inquiryId: payload.serverId,
    doctorId: payload.doctorId,
    assistantId: payload.assistantId,
    open: more.open ?? isOpen(payload.to),
    seq,
    ...(more.replySeconds === undefined ? {} : { replySeconds: more.replySeconds }),
  });
}

/** Median of the last first replies and mean of the ratings, as cards and lists show them. */
const refigure = (ctx: ConsumerContext, doctorId: string) =>
  sql`
    update doctor_doctor d
      set response_median_min = (
        select round(percentile_cont(0.5) within group (order by x.reply_seconds) / 60.0)::int
          from (
            select reply_seconds
              from doctor_consult_order
              where doctor_id = d.id and reply_seconds is not null
              order by id desc limit ${LAST_ANSWERS}
          ) x
      ),
        rating_bp = (select round(avg(stars) * 2000)::int from doctor_consult_order where doctor_id = d.id and stars is not null)
      where d.id = ${doctorId}`.execute(ctx.tx);

export const inquiryConsumers: readonly Consumer[] = [
  consumer('doctor', inquiryOpened, (event, ctx) => noteInquiryState(ctx, event, { open: true })),
  consumer('doctor', inquiryReopened, (event, ctx) => noteInquiryState(ctx, event, { open: true })),
  consumer('doctor', inquiryFirstReplied, async (event, ctx) => {
    await noteInquiryState(ctx, event, { open: true, replySeconds: event.payload.replySeconds });
    await sql`update doctor_consult_order set reply_seconds = ${event.payload.replySeconds} where id = ${event.payload.orderId}`.execute(
      ctx.tx,
    );
    await refigure(ctx, event.payload.doctorId);
  }),
  consumer('doctor', inquiryEnded, async (event, ctx) => {
    await noteInquiryState(ctx, event, { open: false });
    await sql`
      update doctor_consult_order
        set used_replies = greatest(used_replies, ${event.payload.roundUsed})
        where id = ${event.payload.orderId}`.execute(ctx.tx);
  }),
  consumer('doctor', inquiryRated, async ({ payload }, ctx) => {
    await sql`update doctor_consult_order set stars = ${payload.stars} where id = ${payload.orderId}`.execute(ctx.tx);
    await refigure(ctx, payload.doctorId);
  }),
  consumer('doctor', serviceStatusChanged, (event, ctx) => noteInquiryState(ctx, event)),
];
