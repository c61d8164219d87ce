import { messageTypes, type ImProfile, type MessagePayload, type MessageType } from '../../contract/im/types.ts';
import { groupConversation, singleConversation } from '../../contract/im/ids.ts';
import type { WireMessage } from '../../contract/im/wire.ts';

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
