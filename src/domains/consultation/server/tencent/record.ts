import { instantOf, type Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { messagePosted } from '#events/consultation.ts';
import { roleOf, SYSTEM_USER } from '../../contract/im/ids.ts';
import type { MessagePayload, MessageType } from '../../contract/im/types.ts';
import type { Seal } from '../../contract/im/vendor.ts';
import { ownTx } from '../database.ts';
import { lockConversations, membersOf } from '../im/conversations/conversations.ts';
import { imEngine } from '../im/engine.ts';
import type { StoredMessage } from '../im/hooks.ts';
import { insertMessages, type Numbered } from '../im/messages/insertMessages.ts';
import { foldText, searchTextOf } from '../im/messages/searching.ts';
import type { Send } from '../im/messages/sending.ts';

/** A message that the vendor has sent; in groups it has his number, in single chats it gets ours. */
export interface VendorMessage {
  seq: number | null;
  senderId: string;
  /** The vendor's own id, good as a key where our seal is missing. */
  vendorId: string;
  type: MessageType;
  payload: MessagePayload;
  sealed: Seal | null;
  /** Seconds. */
  time: number;
  atUserList?: readonly string[];
}

const sendOf = (convId: string, message: VendorMessage): Send => {
  const { sealed, senderId } = message;
  const auto = sealed?.auto === true || senderId === SYSTEM_USER;
  return {
    convId,
    senderId,
    clientMsgId: (sealed?.clientMsgId ?? message.vendorId).slice(0, 80),
    type: message.type,
    payload: message.payload,
    cloudCustomData: sealed?.custom ?? '',
    atUserList: message.atUserList ?? [],
    quoteSeq: sealed?.quoteSeq ?? null,
    needReadReceipt: false,
    countsUnread: sealed?.countsUnread ?? message.type !== 'TIMGroupTipElem',
    origin: senderId === SYSTEM_USER ? 'SYSTEM' : auto ? 'ENGINE' : 'HUMAN',
    sourceRef: sealed?.sourceRef ?? null,
  };
};

async function isKnown(tx: Tx, send: Send, seq: number | null): Promise<boolean> {
  const row = await ownTx(tx)
    .selectFrom('consultationImMessage')
    .select('seq')
    .where('convId', '=', send.convId)
    .where((eb) =>
      eb.or([
        eb.and([eb('senderId', '=', send.senderId), eb('clientMsgId', '=', send.clientMsgId)]),
        ...(seq === null ? [] : [eb('seq', '=', String(seq))]),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Writes down what the vendor has sent, each message once, however often and in whatever order it is told.
 * Nobody is waiting at a socket of ours, so there are no events; the inquiry side hears of every message.
 * @returns the numbers of what was new.
 */
export async function recordMessages(
  kernel: Kernel,
  writing: Writing,
  convId: string,
  messages: readonly VendorMessage[],
): Promise<number[]> {
  const engine = imEngine(kernel);
  const { tx } = writing;
  const conversation = (await lockConversations(tx, [convId])).get(convId);
  if (!conversation) return [];
  const members = (await membersOf(tx, [convId])).get(convId) ?? [];
  const patient = members.find(({ userRole }) => userRole === 'PATIENT')?.imUserId ?? null;
  const written: number[] = [];
  for (const message of messages) {
    const send = sendOf(convId, message);
    if (await isKnown(tx, send, message.seq)) continue;
    const seq = message.seq ?? conversation.lastSeq + 1;
    const at: Instant = instantOf(message.time * 1000);
    const text = foldText(searchTextOf(send.type, send.payload));
    const numbered: Numbered = { send, seq, riskHit: engine.hooks.riskWords().flag.filter((word) => text.includes(foldText(word))) };
    conversation.lastSeq = Math.max(conversation.lastSeq, seq);
    await insertMessages(tx, [numbered], [conversation], [], [], at);
    await ownTx(tx)
      .updateTable('consultationImMessage')
      .set({ vendorId: message.vendorId })
      .where('convId', '=', convId)
      .where('seq', '=', String(seq))
      .execute();
    written.push(seq);
    await publishRecorded(kernel, writing, conversation.groupId, patient, numbered, at);
  }
  return written;
}

async function publishRecorded(
  kernel: Kernel,
  writing: Writing,
  groupId: string | null,
  patientUserId: string | null,
  { send, seq, riskHit }: Numbered,
  at: Instant,
): Promise<void> {
  const engine = imEngine(kernel);
  const stored: StoredMessage = {
    convId: send.convId,
    groupId,
    patientUserId,
    seq,
    senderId: send.senderId,
    role: roleOf(send.senderId) ?? 'SYSTEM',
    type: send.type,
    payload: send.payload,
    auto: send.origin !== 'HUMAN',
    countsUnread: send.countsUnread,
    sourceRef: send.sourceRef,
    atUserList: send.atUserList,
    riskHit,
    at,
  };
  await engine.hooks.inBatch(writing, [stored], at);
  const patient =
    patientUserId &&
    (await ownTx(writing.tx).selectFrom('consultationImUser').select('refId').where('imUserId', '=', patientUserId).executeTakeFirst());
  await writing.publish(messagePosted, `node:${engine.hub.node}`, {
    items: [
      {
        conversationId: send.convId,
        seq,
        patientId: (patient && patient.refId) || null,
        senderRole: stored.role,
        source: send.origin,
        sourceRef: send.sourceRef,
        at,
      },
    ],
  });
  writing.afterCommit(() => engine.hooks.onCommitted([stored]));
}
