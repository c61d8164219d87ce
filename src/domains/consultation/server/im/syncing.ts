import { sql } from 'kysely';
import { dayOf, plusDays, type Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { EVENT_DAYS } from '../../contract/im/limits.ts';
import type { Answers, WireEvent } from '../../contract/im/wire.ts';
import { own } from '../database.ts';
import { wireOf, type ConvName } from './present.ts';
import { messageJson, nameColumns, type SentMessage } from './rows.ts';

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
