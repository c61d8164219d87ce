import { sql, type RawBuilder } from 'kysely';
import { instantOf } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Answers, RequestOf } from '../../../contract/im/wire.ts';
import { wireOf, type ConvName } from './present.ts';
import { messageJson, type SentMessage } from './present.ts';

/** Reads a stretch of a conversation; `from` is the first seq that the viewer may see. */
async function stretch(
  db: Db,
  conv: ConvName,
  condition: RawBuilder<unknown>,
  direction: 'asc' | 'desc',
  limit: number,
): Promise<SentMessage[]> {
  const { rows } = await sql<{ message: SentMessage }>`
    select ${messageJson} as message
      from consultation_im_message m
      left join consultation_im_user s on s.im_user_id = m.sender_id
      where m.conv_id = ${conv.convId}::bigint and ${condition}
      order by m.seq ${direction === 'asc' ? sql`asc` : sql`desc`} limit ${limit}`.execute(db);
  const found = rows.map(({ message }) => message);
  return direction === 'asc' ? found : found.reverse();
}

/**
 * Messages before, after, between or around a place, oldest first.
 * @param first lowest seq that this viewer may read.
 * @param viewer in whose name single chats are called; the empty text for readers without an account.
 */
export async function readHistory(
  db: Db,
  conv: ConvName,
  viewer: string,
  first: number,
  wish: Omit<RequestOf<'history'>, 'conversationID'>,
): Promise<Answers['history']> {
  const { limit } = wish;
  const start = wish.time === undefined ? wish.aroundSeq : await seqAt(db, conv, wish.time);
  let messages: SentMessage[];
  let isCompleted: boolean;
  if (start !== undefined) {
    const older = await stretch(db, conv, sql`m.seq >= ${first} and m.seq < ${start}`, 'desc', Math.floor(limit / 2));
    const newer = await stretch(db, conv, sql`m.seq >= ${Math.max(first, start)}`, 'asc', limit - older.length);
    messages = [...older, ...newer];
    isCompleted = older.length < Math.floor(limit / 2);
  } else if (wish.afterSeq !== undefined) {
    const end = wish.beforeSeq ?? Number.MAX_SAFE_INTEGER;
    messages = await stretch(db, conv, sql`m.seq > ${Math.max(wish.afterSeq, first - 1)} and m.seq < ${end}`, 'asc', limit);
    isCompleted = messages.length < limit;
  } else {
    const end = wish.beforeSeq ?? Number.MAX_SAFE_INTEGER;
    messages = await stretch(db, conv, sql`m.seq >= ${first} and m.seq < ${end}`, 'desc', limit);
    isCompleted = messages.length < limit || Number(messages[0]?.seq) <= first;
  }
  return { messages: messages.map((message) => wireOf(message, conv, viewer, message)), isCompleted };
}

/** First message at or after a time in seconds. */
async function seqAt(db: Db, conv: ConvName, time: number): Promise<number> {
  const { rows } = await sql<{ seq: string | null }>`
    select min(seq) as seq
      from consultation_im_message
      where conv_id = ${conv.convId}::bigint and sent_at >= ${instantOf(time * 1000)}::timestamptz`.execute(db);
  return rows[0]?.seq ? Number(rows[0].seq) : Number.MAX_SAFE_INTEGER;
}
