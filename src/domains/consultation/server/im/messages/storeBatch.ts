import type { Writing } from '#kernel/server/context.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { messagePosted } from '#events/consultation.ts';
import { roleOf, SYSTEM_USER } from '../../../contract/im/ids.ts';
import type { ImLimits } from '../../../contract/im/limits.ts';
import type { WireMessage } from '../../../contract/im/wire.ts';
import { lockConversations, lockMembers, type LockedConversation, type MemberRow } from '../conversations/conversations.ts';
import type { ImHooks, StoredMessage } from '../hooks.ts';
import type { Hub, Parcel } from '../sockets/hub.ts';
import { findEarlier, insertMessages, sendKey, type Earlier, type Numbered } from './insertMessages.ts';
import { blockedPairs, isAccepted, judge, type Scene } from './judge.ts';
import { conversationIdFor, messageId, type ConvName } from './present.ts';
import { isRefused, payloadHash, refusal, type Outcome, type Send } from './sending.ts';

/** An id of the batch was stored before; the batch is written again, looking first. */
export class StoredBefore extends Error {}

export interface StoreParts {
  hooks: ImHooks;
  limits: ImLimits;
  hub: Hub;
}

const earlierOutcome = (send: Send, earlier: Earlier): Outcome =>
  earlier.payloadHash === payloadHash(send)
    ? { ID: messageId(earlier.convId, earlier.seq), seq: Number(earlier.seq), at: Date.parse(earlier.sentAt), duplicate: true }
    : refusal('CONFLICT');

/** As members and watchers get it. */
const wireMessage = ({ send, seq }: Numbered, name: ConvName, viewer: string, scene: Scene, now: Instant): WireMessage => {
  const sender = scene.users.get(send.senderId);
  return {
    ID: messageId(send.convId, seq),
    seq,
    conversationID: conversationIdFor(name, viewer),
    clientMsgId: send.clientMsgId,
    from: send.senderId,
    nick: sender?.nick ?? '系统消息',
    avatar: sender?.avatar ?? '',
    type: send.type,
    payload: send.payload,
    cloudCustomData: send.cloudCustomData,
    atUserList: [...send.atUserList],
    quoteSeq: send.quoteSeq,
    needReadReceipt: send.needReadReceipt,
    countsUnread: send.countsUnread,
    auto: send.origin !== 'HUMAN',
    at: Date.parse(now),
    isRevoked: false,
    revoker: '',
    revokeReason: '',
    modifyVersion: 0,
  };
};

function parcelOf(
  numbered: readonly Numbered[],
  events: readonly { to: MemberRow; n: number; item: Numbered }[],
  scene: Scene,
  now: Instant,
): Parcel {
  const messages: WireMessage[] = [];
  const places = new Map<string, number>();
  const place = (item: Numbered, viewer: string): number => {
    const name = scene.conversations.get(item.send.convId)!;
    const key = `${item.send.convId}|${item.seq}|${name.groupId === null ? viewer : ''}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, messages.length);
    return messages.push(wireMessage(item, name, viewer, scene, now)) - 1;
  };
  const deliveries = events.map(({ to, n, item }) => ({ to: to.imUserId, n, message: place(item, to.imUserId) }));
  const groups = Map.groupBy(
    numbered.filter(({ send }) => scene.conversations.get(send.convId)?.groupId),
    ({ send }) => send.convId,
  );
  const watched = [...groups].map(([convId, items]): [string, number[]] => [convId, items.map((item) => place(item, ''))]);
  return { messages, deliveries, watched };
}

const storedMessage = ({ send, seq, riskHit }: Numbered, scene: Scene, now: Instant): StoredMessage => ({
  convId: send.convId,
  groupId: scene.conversations.get(send.convId)?.groupId ?? null,
  patientUserId: scene.members.get(send.convId)?.find(({ userRole }) => userRole === 'PATIENT')?.imUserId ?? null,
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
  at: now,
});

/** What the caller of a batch knows of it. */
interface Known {
  /** Looks for ids that were stored before, first; without it their discovery throws `StoredBefore`. */
  careful: boolean;
  /** Its conversations, where they are locked already. */
  locked?: Map<string, LockedConversation>;
  /** What was stored before, where that was looked for under the lock. */
  earlier?: ReadonlyMap<string, Earlier>;
}

/**
 * Stores messages in the caller's transaction: numbers without a gap, one event for each member, delivery after the commit.
 * @returns one outcome for each send, in their order.
 */
export async function storeBatch(
  parts: StoreParts,
  writing: Writing,
  sends: readonly Send[],
  now: Instant,
  { careful, locked, earlier }: Known,
): Promise<Outcome[]> {
  const { tx } = writing;
  const conversations =
    locked ??
    (await lockConversations(
      tx,
      sends.map(({ convId }) => convId),
    ));
  const senders = new Set(sends.map(({ senderId }) => senderId));
  // Before accounts are locked: whoever writes to one of these people waits no longer than he must.
  const blocked = await blockedPairs(tx, sends, conversations);
  const { members, users } = await lockMembers(tx, [...conversations.keys()], [...senders]);
  const scene: Scene = { conversations, members, users, blocked };

  const outcomes = new Map<Send, Outcome>();
  const first = new Map<string, Send>();
  for (const send of sends) if (!first.has(sendKey(send))) first.set(sendKey(send), send);
  const fresh = [...first.values()];
  const known = new Map<string, Earlier>(earlier ?? (careful ? await findEarlier(tx, fresh) : []));
  const unknown = fresh.filter((send) => !known.has(sendKey(send)));
  const judged = await judge(tx, unknown, scene, parts.hooks, parts.limits, now);
  // A refused one may be the repetition of one that was accepted in better times.
  const doubtful = careful ? [] : unknown.filter((send) => !isAccepted(judged.get(send)!));
  for (const [key, earlier] of await findEarlier(tx, doubtful)) known.set(key, earlier);

  const numbered: Numbered[] = [];
  for (const send of fresh) {
    const before = known.get(sendKey(send));
    const judgement = judged.get(send);
    if (before) outcomes.set(send, earlierOutcome(send, before));
    else if (!judgement || !isAccepted(judgement)) outcomes.set(send, judgement ?? refusal('STORE_FAILED'));
    else {
      const conversation = conversations.get(send.convId)!;
      conversation.lastSeq += 1;
      numbered.push({ send, seq: conversation.lastSeq, riskHit: judgement.riskHit });
      outcomes.set(send, {
        ID: messageId(send.convId, conversation.lastSeq),
        seq: conversation.lastSeq,
        at: Date.parse(now),
        duplicate: false,
      });
    }
  }
  if (numbered.length > 0) await write(parts, writing, numbered, scene, now);
  return sends.map((send) => {
    const original = first.get(sendKey(send))!;
    const outcome = outcomes.get(original)!;
    if (original === send || isRefused(outcome)) return outcome;
    return payloadHash(original) === payloadHash(send) ? { ...outcome, duplicate: true } : refusal('CONFLICT');
  });
}

async function write(parts: StoreParts, writing: Writing, numbered: readonly Numbered[], scene: Scene, now: Instant): Promise<void> {
  const { conversations, members, users } = scene;
  const events = numbered.flatMap((item) =>
    (members.get(item.send.convId) ?? []).map((to) => {
      const user = users.get(to.imUserId)!;
      user.lastEventSeq += 1;
      return { to, n: user.lastEventSeq, convId: item.send.convId, seq: item.seq, item };
    }),
  );
  const touched = new Set(numbered.map(({ send }) => send.convId));
  const heard = new Set(events.map(({ to }) => to.imUserId));
  const written = await insertMessages(
    writing.tx,
    numbered,
    [...conversations.values()].filter(({ convId }) => touched.has(convId)),
    [...users.values()].filter(({ imUserId }) => heard.has(imUserId)),
    events,
    now,
  );
  if (written < numbered.length) throw new StoredBefore('an id of the batch was stored before');
  const stored = numbered.map((item) => storedMessage(item, scene, now));
  await parts.hooks.inBatch(writing, stored, now);
  // What people write does not wait in line behind an engine's batch.
  const line = numbered.some(({ send }) => send.origin === 'HUMAN') ? '' : ':engine';
  await writing.publish(messagePosted, `node:${parts.hub.node}${line}`, {
    items: stored.map((message) => ({
      conversationId: message.convId,
      seq: message.seq,
      patientId: (message.patientUserId && users.get(message.patientUserId)?.refId) ?? null,
      senderRole: message.role,
      source: message.senderId === SYSTEM_USER ? ('SYSTEM' as const) : message.auto ? ('ENGINE' as const) : ('HUMAN' as const),
      sourceRef: message.sourceRef,
      at: now,
    })),
  });
  writing.afterCommit(() => {
    parts.hub.deliver(parcelOf(numbered, events, scene, now));
    parts.hooks.onCommitted(stored);
  });
}
