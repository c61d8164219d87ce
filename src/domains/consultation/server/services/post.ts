import { sql } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Tx, Writing } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { imError } from '../../contract/im/codes.ts';
import { SYSTEM_USER, userIdOf } from '../../contract/im/ids.ts';
import type { MessagePayload, MessageType } from '../../contract/im/types.ts';
import { findByClientMsgId, postStored } from '../im/posting.ts';
import type { Stored } from '../im/sending.ts';

/** A message that an engine writes. */
export interface EngineMessage {
  /** Of the store, as events and `listOpenConversations` name it. */
  conversationId: string;
  senderRole: 'ASSISTANT' | 'SYSTEM';
  /** Operator id of an assistant who is a member; absent: the owner, else the doctor's primary assistant. */
  senderId?: string | null;
  /** The engine's own key: the same key in a conversation is the same message, whoever wrote it. */
  clientMsgId: string;
  bubble: { type: MessageType; payload: MessagePayload; cloudCustomData?: string };
  /** Where it comes from, such as `corpus:send:812`. */
  sourceRef: string;
}

/** In whose name an engine writes here; null when nobody answers for the conversation. */
async function assistantOf(tx: Tx, conversationId: string): Promise<string | null> {
  const { rows } = await sql<{ imUserId: string | null }>`
    select case when c.type = 'C2C' then c.user_low else 'A' || d.operator_id end as im_user_id
      from consultation_im_conversation c left join consultation_medical_group g on g.conv_id = c.conv_id
      left join lateral (select b.assistant_id from consultation_bind_copy b where b.doctor_id = g.doctor_id and b.role = 'PRIMARY' limit 1) p on true
      left join consultation_assistant_duty d on d.assistant_id = coalesce(g.owner_assistant_id, p.assistant_id)
     where c.conv_id = ${conversationId}::bigint`.execute(tx);
  if (!rows[0]) throw refuse(platformErrors.NOT_FOUND);
  return rows[0].imUserId;
}

/**
 * Writes an engine's message in the caller's transaction; delivered after its commit. A repeat of the key answers the first message,
 * whatever has changed since. It obeys membership, mutes, lists of unwanted senders and the engines' rate, and stays clear of the queue.
 * @throws Refusal SCM90040 where there is no such conversation; ImError with the chat's number where it may not be sent.
 */
export async function postMessage(kernel: Kernel, writing: Writing, message: EngineMessage, now: Instant): Promise<Stored> {
  const { conversationId, senderRole, senderId, clientMsgId, bubble, sourceRef } = message;
  const earlier = await findByClientMsgId(writing.tx, conversationId, clientMsgId);
  if (earlier) return { ...earlier, duplicate: true };
  const own = await assistantOf(writing.tx, conversationId);
  const sender = senderRole === 'SYSTEM' ? SYSTEM_USER : senderId ? userIdOf('ASSISTANT', senderId) : own;
  if (sender === null) throw imError('NOT_MEMBER');
  return postStored(kernel, writing, { convId: conversationId, senderId: sender, clientMsgId, ...bubble, sourceRef }, now);
}
