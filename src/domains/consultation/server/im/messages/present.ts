import { sql, type RawBuilder } from 'kysely';
import { messageTypes, type ImProfile, type MessagePayload, type MessageType } from '../../../contract/im/types.ts';
import { groupConversation, singleConversation } from '../../../contract/im/ids.ts';
import type { WireMessage } from '../../../contract/im/wire.ts';

/** Which conversation, as much as its name needs. */
export interface ConvName {
  convId: string;
  groupId: string | null;
  userLow: string | null;
  userHigh: string | null;
}

/** The id under which somebody knows a conversation: a single chat is named after the other one. */
export const conversationIdFor = (conv: ConvName, viewer: string): string =>
  conv.groupId === null
    ? singleConversation((conv.userLow === viewer ? conv.userHigh : conv.userLow) ?? '')
    : groupConversation(conv.groupId);

export const messageId = (convId: string, seq: number | string): string => `${convId}-${seq}`;

export interface MessageRow {
  convId: string;
  seq: string;
  senderId: string;
  clientMsgId: string;
  vendorId: string | null;
  type: MessageType;
  payload: unknown;
  cloudCustomData: string;
  atUserList: string[];
  quoteSeq: string | null;
  needReadReceipt: boolean;
  countsUnread: boolean;
  auto: boolean;
  sentAt: string;
  modifyVersion: number;
  revokedAt: string | null;
  revokedBy: string | null;
  revokeReason: string | null;
}

export const messageColumns = [
  'convId',
  'seq',
  'senderId',
  'clientMsgId',
  'vendorId',
  'type',
  'payload',
  'cloudCustomData',
  'atUserList',
  'quoteSeq',
  'needReadReceipt',
  'countsUnread',
  'auto',
  'sentAt',
  'modifyVersion',
  'revokedAt',
  'revokedBy',
  'revokeReason',
] as const;

const SYSTEM_NICK: ImProfile = { userID: 'SYSTEM', nick: '系统消息', avatar: '' };

/** A stored message as one viewer gets it; a recalled one has lost its content. */
export function wireOf(
  row: MessageRow,
  conv: ConvName,
  viewer: string,
  sender: Pick<ImProfile, 'nick' | 'avatar'> = SYSTEM_NICK,
): WireMessage {
  const isRevoked = row.revokedAt !== null;
  return {
    ID: row.vendorId ?? messageId(row.convId, row.seq),
    seq: Number(row.seq),
    conversationID: conversationIdFor(conv, viewer),
    clientMsgId: row.clientMsgId,
    from: row.senderId,
    nick: sender.nick,
    avatar: sender.avatar,
    type: row.type,
    payload: isRevoked && row.type === messageTypes.TEXT ? { text: '' } : (row.payload as MessagePayload),
    cloudCustomData: isRevoked ? '' : row.cloudCustomData,
    atUserList: row.atUserList,
    quoteSeq: row.quoteSeq === null ? null : Number(row.quoteSeq),
    needReadReceipt: row.needReadReceipt,
    countsUnread: row.countsUnread,
    auto: row.auto,
    at: Date.parse(row.sentAt),
    isRevoked,
    revoker: row.revokedBy ?? '',
    revokeReason: row.revokeReason ?? '',
    modifyVersion: row.modifyVersion,
  };
}

/** A message of alias `m` as one JSON value, with its sender of alias `s`; null where there is none. */
export const messageJson: RawBuilder<SentMessage | null> = sql`
  case
    when m.conv_id is null then null
    else jsonb_build_object(
      'convId', m.conv_id::text, 'seq', m.seq::text, 'senderId', m.sender_id, 'clientMsgId', m.client_msg_id, 'vendorId', m.vendor_id,
      'type', m.type, 'payload', m.payload, 'cloudCustomData', m.cloud_custom_data, 'atUserList', m.at_user_list, 'quoteSeq',
      m.quote_seq::text, 'needReadReceipt', m.need_read_receipt, 'countsUnread', m.counts_unread, 'auto', m.auto, 'sentAt', m.sent_at,
      'modifyVersion', m.modify_version, 'revokedAt', m.revoked_at, 'revokedBy', m.revoked_by, 'revokeReason', m.revoke_reason, 'nick',
      coalesce(s.nick, '系统消息'), 'avatar', coalesce(s.avatar, '')
    )
  end`;

export interface SentMessage extends MessageRow {
  nick: string;
  avatar: string;
}

/** Unread messages of member `m` in conversation `c`, as far as they are counted. */
export const unreadCount = (viewer: string, cap: number): RawBuilder<number> => sql`
  (
    select count(*)::int
      from (
        select 1
          from consultation_im_message x
          where x.conv_id = c.conv_id
            and x.seq > greatest(m.read_seq, m.cleared_seq)
            and x.seq <= c.last_seq
            and x.sender_id <> ${viewer}
            and x.revoked_at is null
            and x.counts_unread
          limit ${cap}
      ) as counted
  )`;

/** Columns of a conversation's name, of alias `c`. */
export const nameColumns = sql`c.conv_id, c.group_id, c.user_low, c.user_high`;
