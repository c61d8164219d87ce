import type { MessageInput } from '../../contract/im/client.ts';
import { groupConversation, peerOf, singleConversation } from '../../contract/im/ids.ts';
import type { ConversationID, ImConversation, ImMessage, MessagePayload, MessageType } from '../../contract/im/types.ts';
import type { WireConversation, WireMessage } from '../../contract/im/wire.ts';
import type { OutboxEntry } from './kept/keeper.ts';
import { uuid7 } from './uuid.ts';

/** A stored message as pages see it. */
export function fromWire(message: WireMessage, me: string): ImMessage {
  const peer = peerOf(message.conversationID);
  const flow = message.from === me ? 'out' : 'in';
  return {
    ID: message.ID,
    clientMsgId: message.clientMsgId,
    type: message.type,
    payload: message.payload,
    conversationID: message.conversationID as ConversationID,
    conversationType: 'groupID' in peer ? 'GROUP' : 'C2C',
    from: message.from,
    to: 'groupID' in peer ? peer.groupID : flow === 'out' ? peer.userID : me,
    flow,
    time: Math.floor(message.at / 1000),
    sequence: message.seq,
    status: 'success',
    isRevoked: message.isRevoked,
    revoker: message.revoker,
    revokeReason: message.revokeReason,
    isModified: message.modifyVersion > 0,
    modifyVersion: message.modifyVersion,
    nick: message.nick,
    avatar: message.avatar,
    cloudCustomData: message.cloudCustomData,
    quoteSeq: message.quoteSeq,
    atUserList: message.atUserList,
    needReadReceipt: message.needReadReceipt,
    countsUnread: message.countsUnread,
    auto: message.auto,
    progress: 1,
  };
}

/** A message that was written here and is not stored yet. */
export function freshMessage(
  input: Omit<MessageInput<never>, 'payload'>,
  type: MessageType,
  payload: MessagePayload,
  me: string,
  clientMsgId: string = uuid7(),
  now = Date.now(),
): ImMessage {
  return {
    ID: clientMsgId,
    clientMsgId,
    type,
    payload,
    conversationID: input.conversationType === 'GROUP' ? groupConversation(input.to) : singleConversation(input.to),
    conversationType: input.conversationType,
    from: me,
    to: input.to,
    flow: 'out',
    time: Math.floor(now / 1000),
    sequence: 0,
    status: 'unSend',
    isRevoked: false,
    revoker: '',
    revokeReason: '',
    isModified: false,
    modifyVersion: 0,
    nick: '',
    avatar: '',
    cloudCustomData: input.cloudCustomData ?? '',
    quoteSeq: input.quoteSeq ?? null,
    atUserList: input.atUserList ?? [],
    needReadReceipt: input.needReadReceipt ?? false,
    countsUnread: true,
    auto: false,
    progress: 0,
  };
}

/** Body of the request that sends it. */
export const sendOf = (message: ImMessage): OutboxEntry['send'] => ({
  clientMsgId: message.clientMsgId,
  conversationID: message.conversationID,
  type: message.type,
  payload: { ...message.payload },
  ...(message.cloudCustomData ? { cloudCustomData: message.cloudCustomData } : {}),
  ...(message.quoteSeq === null ? {} : { quoteSeq: message.quoteSeq }),
  ...(message.atUserList.length > 0 ? { atUserList: message.atUserList } : {}),
  ...(message.needReadReceipt ? { needReadReceipt: true } : {}),
});

export function conversationOf(wire: WireConversation, me: string): ImConversation {
  const peer = peerOf(wire.conversationID);
  return {
    conversationID: wire.conversationID as ConversationID,
    type: 'groupID' in peer ? 'GROUP' : 'C2C',
    unreadCount: wire.unreadCount,
    isMarked: wire.isMarked,
    isPinned: wire.isPinned,
    remindType: wire.remindType,
    draftText: wire.draftText,
    lastSeq: wire.lastSeq,
    readSeq: wire.readSeq,
    lastMessage: wire.lastMessage && fromWire(wire.lastMessage, me),
    lastMessageTime: wire.lastMessage ? Math.floor(wire.lastMessage.at / 1000) : 0,
    isDissolved: wire.isDissolved,
    isMentioned: wire.isMentioned,
    ...('groupID' in peer
      ? {
          groupProfile: {
            groupID: peer.groupID,
            name: wire.name,
            memberCount: wire.memberCount,
            lastSeq: wire.lastSeq,
            createTime: wire.createTime,
            isDissolved: wire.isDissolved,
          },
        }
      : { userProfile: wire.peer ?? { userID: peer.userID, nick: wire.name, avatar: '' } }),
  };
}

/** Pinned first, then by the newest message. */
export const inListOrder = (a: ImConversation, b: ImConversation): number =>
  Number(b.isPinned) - Number(a.isPinned) || b.lastMessageTime - a.lastMessageTime || (a.conversationID < b.conversationID ? -1 : 1);
