import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { messageTypes, type TextPayload } from '../../contract/im/types.ts';
import { own } from '../database.ts';

export interface HumanMessage {
  conversationId: string;
  role: 'PATIENT' | 'DOCTOR' | 'ASSISTANT';
  at: Instant;
}

const roles = { P: 'PATIENT', D: 'DOCTOR', A: 'ASSISTANT' } as const;

/** When persons wrote in conversations within a time, oldest first; engines and the system are no persons. */
export async function humanMessages(
  db: Db | Tx,
  conversationIds: readonly string[],
  { from, to }: { from: Instant; to: Instant },
): Promise<HumanMessage[]> {
  if (conversationIds.length === 0) return [];
  const { rows } = await sql<{ conversationId: string; letter: keyof typeof roles; at: Instant }>`
    select m.conv_id as conversation_id, left(m.sender_id, 1) as letter, m.sent_at as at from consultation_im_message m
     where m.conv_id = any(${[...conversationIds]}::bigint[]) and m.sent_at >= ${from}::timestamptz and m.sent_at < ${to}::timestamptz
       and not m.auto and left(m.sender_id, 1) in ('P', 'D', 'A') order by m.sent_at, m.seq`.execute(db);
  return rows.map(({ letter, ...row }) => ({ ...row, role: roles[letter] }));
}

/** The words of a text message that still stands; null for any other. */
export async function messageText(db: Db | Tx, conversationId: string, seq: number): Promise<string | null> {
  const row = await own(db)
    .selectFrom('consultationImMessage')
    .select('payload')
    .where('convId', '=', conversationId)
    .where('seq', '=', String(seq))
    .where('type', '=', messageTypes.TEXT)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  // Payloads of this type were checked when they were stored.
  return row ? (row.payload as TextPayload).text : null;
}
