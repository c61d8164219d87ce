import { sql } from 'kysely';
import { platformErrors, refuse, type Refusal } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { imError, type ImError } from '../../contract/im/codes.ts';
import { SYSTEM_USER, userIdOf } from '../../contract/im/ids.ts';
import type { MessagePayload, MessageType } from '../../contract/im/types.ts';
import { findPosted, postAllStored } from '../im/messages/posting.ts';
import type { Post, Stored } from '../im/messages/sending.ts';

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

/** In whose name an engine writes in each conversation that there is; null when nobody answers for it. */
async function assistantsOf(tx: Tx, of: readonly Pick<EngineMessage, 'conversationId'>[]): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ convId: string; imUserId: string | null }>`
    select c.conv_id, case when c.type = 'C2C' then c.user_low else 'A' || d.operator_id end as im_user_id
      from consultation_im_conversation c left join consultation_medical_group g on g.conv_id = c.conv_id
      left join lateral (
        select b.assistant_id from consultation_bind_copy b where b.doctor_id = g.doctor_id and b.role = 'PRIMARY' limit 1
      ) p on true
      left join consultation_assistant_duty d on d.assistant_id = coalesce(g.owner_assistant_id, p.assistant_id)
     where c.conv_id = any(${of.map(({ conversationId }) => conversationId)}::bigint[])`.execute(tx);
  return new Map(rows.map(({ convId, imUserId }) => [convId, imUserId]));
}

/**
 * Writes an engine's messages in the caller's transaction; delivered after its commit. A repeat of a key answers the first message,
 * whatever has changed since. They obey membership, mutes, lists of unwanted senders and the engines' rate, and stay clear of the queue.
 * @returns for each what was stored or why not, in their order: SCM90040 where there is no such conversation, the chat's number where it
 *   may not be sent
 */
export async function postMessages(
  kernel: Kernel,
  writing: Writing,
  messages: readonly EngineMessage[],
  now: Instant,
): Promise<(Stored | ImError | Refusal)[]> {
  const nameless = messages.filter(({ senderRole, senderId }) => senderRole === 'ASSISTANT' && !senderId);
  const own = nameless.length === 0 ? new Map<string, string | null>() : await assistantsOf(writing.tx, nameless);
  // Where nobody answers any more there may be the message of a time when somebody did.
  const earlier = await findPosted(
    writing.tx,
    nameless.filter(({ conversationId }) => own.get(conversationId) === null),
  );
  const results = messages.map((message): Stored | ImError | Refusal | Post => {
    const { conversationId, senderRole, senderId, clientMsgId, bubble, sourceRef } = message;
    const found = earlier.get(`${conversationId}|${clientMsgId}`);
    if (found) return { ...found, duplicate: true };
    const answering = senderRole === 'SYSTEM' ? SYSTEM_USER : senderId ? userIdOf('ASSISTANT', senderId) : own.get(conversationId);
    if (answering === undefined) return refuse(platformErrors.NOT_FOUND);
    return answering === null ? imError('NOT_MEMBER') : { convId: conversationId, senderId: answering, clientMsgId, ...bubble, sourceRef };
  });
  const posts = results.filter((answer) => 'convId' in answer);
  const stored = await postAllStored(kernel, writing, posts, now);
  const outcomes = new Map(posts.map((post, at) => [post, stored[at]!]));
  return results.map((answer) => ('convId' in answer ? outcomes.get(answer)! : answer));
}

/** Writes one message of an engine as `postMessages` does many. @throws Refusal or ImError where it may not be sent. */
export async function postMessage(kernel: Kernel, writing: Writing, message: EngineMessage, now: Instant): Promise<Stored> {
  const [answer] = await postMessages(kernel, writing, [message], now);
  if (answer instanceof Error) throw answer;
  return answer!;
}
