import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { messageTypes, type TextPayload } from '../../contract/im/types.ts';
import { own } from '../database.ts';

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
