import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { WireMessage } from '../../../contract/im/wire.ts';
import type { ImLimits } from '../../../contract/im/limits.ts';
import { lockConversations, lockUsers, membersOf } from '../conversations/conversations.ts';
import { blockedPairs, isAccepted, judge } from '../messages/judge.ts';
import { conversationIdFor, type ConvName } from '../messages/present.ts';
import { refusal, type Refused, type Send } from '../messages/sending.ts';
import type { ImHooks } from '../hooks.ts';
import type { Hub } from './hub.ts';

/**
 * Passes a message to the members who are connected now: the same checks and the same rate as for any other, no number, no event,
 * nothing stored.
 */
export async function passOn(
  writing: Writing,
  parts: { hub: Hub; hooks: ImHooks; limits: ImLimits },
  conv: ConvName,
  send: Send,
  now: Instant,
): Promise<{ ID: string; at: number } | Refused> {
  const { tx } = writing;
  const conversations = await lockConversations(tx, [conv.convId]);
  const members = await membersOf(tx, [conv.convId]);
  const blocked = await blockedPairs(tx, [send], conversations);
  const users = await lockUsers(tx, [send.senderId]);
  const judgement = (await judge(tx, [send], { conversations, members, users, blocked }, parts.hooks, parts.limits, now)).get(send);
  if (!judgement || !isAccepted(judgement)) return judgement ?? refusal('NOT_MEMBER');
  const sender = users.get(send.senderId);
  await sql`
    with counted as (
      update consultation_im_user set recent_sends = ${sender?.recentSends ?? []}::bigint[] where im_user_id = ${send.senderId}
    ) update consultation_im_conversation
    set recent_sends = ${conversations.get(conv.convId)?.recentSends ?? []}::bigint[]
    where conv_id = ${conv.convId}::bigint`.execute(tx);
  const at = Date.parse(now);
  const message = (viewer: string): WireMessage => ({
    ID: send.clientMsgId,
    seq: 0,
    conversationID: conversationIdFor(conv, viewer),
    clientMsgId: send.clientMsgId,
    from: send.senderId,
    nick: sender?.nick ?? '',
    avatar: sender?.avatar ?? '',
    type: send.type,
    payload: send.payload,
    cloudCustomData: send.cloudCustomData,
    atUserList: [...send.atUserList],
    quoteSeq: send.quoteSeq,
    needReadReceipt: false,
    countsUnread: false,
    auto: false,
    at,
    isRevoked: false,
    revoker: '',
    revokeReason: '',
    modifyVersion: 0,
  });
  const others = (members.get(conv.convId) ?? []).map(({ imUserId }) => imUserId).filter((id) => id !== send.senderId);
  writing.afterCommit(() => {
    if (conv.groupId !== null) parts.hub.live(others, { type: 'onlineMsg', message: message('') });
    else for (const to of others) parts.hub.live([to], { type: 'onlineMsg', message: message(to) });
  });
  return { ID: send.clientMsgId, at };
}
