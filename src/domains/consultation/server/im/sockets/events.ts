import { sql } from 'kysely';
import { dayOf, type Instant, plusDays } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { EVENT_DAYS } from '../../../contract/im/limits.ts';
import type { Answers, WireEvent } from '../../../contract/im/wire.ts';
import { own } from '../../database.ts';
import { type ConvName, messageJson, nameColumns, type SentMessage, wireOf } from '../messages/present.ts';
import { lockUsers, type LockedUser } from '../conversations/conversations.ts';
import type { Delivery } from './hub.ts';

type Unnumbered<E> = E extends unknown ? Omit<E, 'n'> : never;

/** Something that a user's clients must hear. What the log keeps are pointers; message events are built anew from the message. */
export interface NewEvent {
  to: string;
  event: Unnumbered<WireEvent>;
  /** Message that the event is about. */
  at?: { convId: string; seq: number };
  convId?: string;
}

/** Part of an event that the log keeps as it is; null where the message says everything. */
const bodyOf = (event: Unnumbered<WireEvent>): string | null =>
  event.type === 'msg' || event.type === 'msgModified' ? null : JSON.stringify(event);

/**
 * Numbers and logs events of users. Locks their accounts; the caller holds its conversations' locks already and writes members after.
 * @param locked accounts that the caller has locked itself.
 * @returns what is delivered after the commit.
 */
export async function appendEvents(
  tx: Tx,
  events: readonly NewEvent[],
  now: Instant,
  locked?: Map<string, LockedUser>,
): Promise<Delivery[]> {
  if (events.length === 0) return [];
  const users =
    locked ??
    (await lockUsers(
      tx,
      events.map(({ to }) => to),
    ));
  const deliveries: Delivery[] = [];
  const rows = {
    to: [] as string[],
    n: [] as number[],
    type: [] as string[],
    conv: [] as (string | null)[],
    seq: [] as (number | null)[],
    body: [] as (string | null)[],
  };
  for (const { to, event, at, convId } of events) {
    const user = users.get(to);
    if (!user) continue;
    user.lastEventSeq += 1;
    rows.to.push(to);
    rows.n.push(user.lastEventSeq);
    rows.type.push(event.type);
    rows.conv.push(at?.convId ?? convId ?? null);
    rows.seq.push(at?.seq ?? null);
    rows.body.push(bodyOf(event));
    deliveries.push({ to, n: user.lastEventSeq, event: { ...event, n: user.lastEventSeq } });
  }
  const counters = [...new Set(rows.to)].map((id) => [id, users.get(id)!.lastEventSeq] as const);
  await sql`
    with counted as (
      update consultation_im_user u
        set last_event_seq = v.n
        from unnest(${counters.map(([id]) => id)}::text[], ${counters.map(([, n]) => n)}::bigint[]) as v (id, n)
        where u.im_user_id = v.id
        returning 1
    )
    insert into consultation_im_event (im_user_id, event_seq, day, type, conv_id, seq, body, at)
    select v.id, v.n, ${dayOf(now)}::date, v.type, v.conv, v.seq, v.body::jsonb, ${now}::timestamptz
      from unnest(
        ${rows.to}::text[], ${rows.n}::bigint[], ${rows.type}::text[], ${rows.conv}::bigint[], ${rows.seq}::bigint[], ${rows.body}::text[]
      ) as v (id, n, type, conv, seq, body)`.execute(tx);
  return deliveries;
}

/** An event of messages points to one, every other kind carries its body. */
type Row = ConvName & { eventSeq: string } & ({ body: WireEvent } | { body: null; type: 'msg' | 'msgModified'; message: SentMessage });

/** The log's pointer made whole again: messages as they are now. */
function eventOf(row: Row, viewer: string): WireEvent {
  const n = Number(row.eventSeq);
  if (row.body) return { ...row.body, n };
  return { n, type: row.type, message: wireOf(row.message, row, viewer, row.message) };
}

/**
 * What a user's clients have missed after their cursor, in order.
 * `reset` tells that the log does not reach back so far: the client reloads its conversations and goes on from `nextCursor`.
 */
export async function syncEvents(db: Db, viewer: string, wish: { cursor: number; limit: number }, now: Instant): Promise<Answers['sync']> {
  const { lastEventSeq } = await own(db)
    .selectFrom('consultationImUser')
    .select('lastEventSeq')
    .where('imUserId', '=', viewer)
    .executeTakeFirstOrThrow();
  const last = Number(lastEventSeq);
  if (wish.cursor === last) return { events: [], nextCursor: last, more: false, reset: false };
  const reset = { events: [], nextCursor: last, more: false, reset: true };
  if (wish.cursor > last) return reset;
  const { rows } = await sql<Row>`
    select e.event_seq, e.type, e.body, ${nameColumns}, ${messageJson} as message
      from consultation_im_event e
      left join consultation_im_message m on e.body is null and m.conv_id = e.conv_id and m.seq = e.seq
      left join consultation_im_user s on s.im_user_id = m.sender_id
      left join consultation_im_conversation c on c.conv_id = e.conv_id
     where e.im_user_id = ${viewer}
       and e.event_seq > ${wish.cursor}
       and e.event_seq <= ${last}
       and e.day >= ${plusDays(dayOf(now), -EVENT_DAYS)}::date
     order by e.event_seq limit ${wish.limit}`.execute(db);
  if (Number(rows[0]?.eventSeq) !== wish.cursor + 1) return reset;
  const events = rows.map((row) => eventOf(row, viewer));
  const nextCursor = events.at(-1)!.n;
  return { events, nextCursor, more: nextCursor < last, reset: false };
}
