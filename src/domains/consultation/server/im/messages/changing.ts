import type { Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import { SYSTEM_USER } from '../../../contract/im/ids.ts';
import type { ImLimits } from '../../../contract/im/limits.ts';
import { messageTypes, type MessagePayload, type MessageType } from '../../../contract/im/types.ts';
import type { WireMessage } from '../../../contract/im/wire.ts';
import { json, ownTx } from '../../database.ts';
import { lockConversations, membersOf } from '../conversations/conversations.ts';
import { appendEvents, type NewEvent } from '../sockets/events.ts';
import type { Hub } from '../sockets/hub.ts';
import { conversationIdFor, messageColumns, wireOf, type ConvName, type MessageRow } from './present.ts';
import { gramsOf, searchTextOf } from './searching.ts';
import { isStorable, payloadBytes, refusal, type Refused } from './sending.ts';

const RECALLABLE: readonly MessageType[] = [
  messageTypes.TEXT,
  messageTypes.IMAGE,
  messageTypes.FILE,
  messageTypes.AUDIO,
  messageTypes.VIDEO,
];

/** Who recalls: the sender within his time, or a supervisor with a reason. */
export type Recaller = { imUserId: string; reason: null } | { imUserId: string; reason: string };

const load = (tx: Tx, conv: ConvName, seq: number): Promise<MessageRow | undefined> =>
  ownTx(tx)
    .selectFrom('consultationImMessage')
    .select(messageColumns)
    .where('convId', '=', conv.convId)
    .where('seq', '=', String(seq))
    .executeTakeFirst();

const keepOriginal = (tx: Tx, row: MessageRow, by: string, reason: string | null, at: Instant) =>
  ownTx(tx)
    .insertInto('consultationImMessageOriginal')
    .values({
      convId: row.convId,
      seq: row.seq,
      modifyVersion: row.modifyVersion,
      payload: json(row.payload),
      cloudCustomData: row.cloudCustomData,
      by,
      at,
      reason,
    })
    .execute();

async function senderOf(tx: Tx, imUserId: string) {
  const row = await ownTx(tx)
    .selectFrom('consultationImUser')
    .select(['nick', 'avatar'])
    .where('imUserId', '=', imUserId)
    .executeTakeFirst();
  return { nick: row?.nick ?? '系统消息', avatar: row?.avatar ?? '' };
}

/** Tells all members, and those who watch, after the commit. */
async function pushChange(
  writing: Writing,
  hub: Hub,
  conv: ConvName,
  events: (viewer: string) => NewEvent['event'],
  changed: WireMessage,
  now: Instant,
): Promise<void> {
  const members = (await membersOf(writing.tx, [conv.convId])).get(conv.convId) ?? [];
  const deliveries = await appendEvents(
    writing.tx,
    members.map(({ imUserId }) => ({ to: imUserId, event: events(imUserId), at: { convId: conv.convId, seq: changed.seq } })),
    now,
  );
  writing.afterCommit(() => hub.deliver({ messages: [], deliveries, ...(conv.groupId !== null && { changed: [conv.convId, changed] }) }));
}

/** Empties a message for everybody; what it said is kept aside. A repeated recall answers the recalled message. */
export async function recallMessage(
  writing: Writing,
  parts: { hub: Hub; limits: ImLimits },
  conv: ConvName,
  seq: number,
  by: Recaller,
  now: Instant,
): Promise<WireMessage | Refused> {
  const { tx } = writing;
  await lockConversations(tx, [conv.convId]);
  const row = await load(tx, conv, seq);
  if (!row) return refusal('RECALL_FAILED');
  const sender = await senderOf(tx, row.senderId);
  if (row.revokedAt !== null) return wireOf(row, conv, by.imUserId, sender);
  if (by.reason === null) {
    if (row.senderId !== by.imUserId || !RECALLABLE.includes(row.type)) return refusal('NOT_ALLOWED');
    if (Date.parse(now) - Date.parse(row.sentAt) > parts.limits.recallSec * 1000) return refusal('RECALL_TOO_LATE');
  }
  await keepOriginal(tx, row, by.imUserId, by.reason, now);
  const recalled = { revokedAt: now, revokedBy: by.imUserId, revokeReason: by.reason, modifiedAt: now };
  await ownTx(tx)
    .updateTable('consultationImMessage')
    .set({ ...recalled, payload: '{}', cloudCustomData: '', searchTokens: [] })
    .where('convId', '=', conv.convId)
    .where('seq', '=', row.seq)
    .execute();
  const event = (viewer: string) => ({
    type: 'msgRevoked' as const,
    conversationID: conversationIdFor(conv, viewer),
    seq,
    from: row.senderId,
    countsUnread: row.countsUnread,
    revoker: by.imUserId,
    reason: by.reason ?? '',
  });
  const after: MessageRow = { ...row, ...recalled, payload: {}, cloudCustomData: '' };
  await pushChange(writing, parts.hub, conv, event, wireOf(after, conv, '', sender), now);
  return wireOf(after, conv, by.imUserId, sender);
}

/** New content of a card, by its sender or the server; whoever saw an older version is told so. */
export async function modifyMessage(
  writing: Writing,
  parts: { hub: Hub; limits: ImLimits },
  conv: ConvName,
  change: { seq: number; payload: MessagePayload; cloudCustomData?: string | undefined; modifyVersion: number },
  by: string,
  now: Instant,
): Promise<WireMessage | Refused> {
  const { tx } = writing;
  await lockConversations(tx, [conv.convId]);
  const row = await load(tx, conv, change.seq);
  if (!row) return refusal('NOT_FOUND');
  if (row.type !== messageTypes.CUSTOM || (by !== SYSTEM_USER && row.senderId !== by) || row.revokedAt !== null)
    return refusal('NOT_ALLOWED');
  if (row.modifyVersion !== change.modifyVersion) return refusal('STALE');
  const cloudCustomData = change.cloudCustomData ?? row.cloudCustomData;
  if (!isStorable(change.payload, cloudCustomData)) return refusal('MALFORMED');
  if (payloadBytes(change.payload) > parts.limits.messageBytes) return refusal('TOO_LONG');
  await keepOriginal(tx, row, by, null, now);
  const modified = { cloudCustomData, modifiedAt: now, modifyVersion: row.modifyVersion + 1 };
  await ownTx(tx)
    .updateTable('consultationImMessage')
    .set({ ...modified, payload: json(change.payload), searchTokens: gramsOf(searchTextOf(messageTypes.CUSTOM, change.payload)) })
    .where('convId', '=', conv.convId)
    .where('seq', '=', row.seq)
    .execute();
  const sender = await senderOf(tx, row.senderId);
  const after: MessageRow = { ...row, ...modified, payload: change.payload };
  await pushChange(
    writing,
    parts.hub,
    conv,
    (viewer) => ({ type: 'msgModified', message: wireOf(after, conv, viewer, sender) }),
    wireOf(after, conv, '', sender),
    now,
  );
  return wireOf(after, conv, by, sender);
}
