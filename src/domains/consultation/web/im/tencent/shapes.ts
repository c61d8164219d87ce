import { groupConversation, roleOf, singleConversation } from '../../../contract/im/ids.ts';
import type { ConversationID, ImConversation, ImGroup, ImMember, ImMessage, ImProfile, RemindType } from '../../../contract/im/types.ts';
import { unseal, uncarry } from '../../../contract/im/vendor.ts';
import type { Conversation, Group, GroupMember, Profile } from '@tencentcloud/chat';
import type { SdkMessage } from './sdk.ts';

const ROLE_NAMES = { PATIENT: '患者', DOCTOR: '医生', ASSISTANT: '医助' } as const;

/** Marks of the vendor for conversations marked as unread. */
const MARKED = 2;

const statusOf = (status: string): ImMessage['status'] => (status === 'success' || status === 'fail' ? status : 'unSend');

/** A message of the SDK as pages see it. */
export function messageOf(message: SdkMessage, me: string): ImMessage {
  const sealed = unseal(message.cloudCustomData);
  const body = uncarry(String(message.type), message.payload);
  const isGroup = String(message.conversationType) === 'GROUP';
  const flow = message.from === me ? 'out' : 'in';
  return {
    ID: message.ID,
    clientMsgId: sealed?.clientMsgId ?? message.ID,
    type: body.type,
    payload: message.isRevoked ? { text: '' } : body.payload,
    conversationID: message.conversationID as ConversationID,
    conversationType: isGroup ? 'GROUP' : 'C2C',
    from: message.from,
    to: message.to,
    flow,
    time: message.time,
    sequence: message.sequence,
    status: statusOf(message.status),
    isRevoked: message.isRevoked,
    revoker: message.revoker ?? '',
    revokeReason: message.revokeReason ?? '',
    isModified: (sealed?.modifyVersion ?? 0) > 0,
    modifyVersion: sealed?.modifyVersion ?? 0,
    nick: message.nick ?? '',
    avatar: message.avatar ?? '',
    cloudCustomData: message.isRevoked ? '' : sealed ? sealed.custom : (message.cloudCustomData ?? ''),
    quoteSeq: sealed?.quoteSeq ?? null,
    atUserList: message.atUserList ?? [],
    needReadReceipt: message.needReadReceipt ?? false,
    countsUnread: sealed?.countsUnread ?? body.type !== 'TIMGroupTipElem',
    auto: sealed?.auto ?? false,
    progress: 1,
  };
}

export const groupOf = (group: Group): ImGroup => ({
  groupID: group.groupID,
  name: group.name,
  memberCount: group.memberCount,
  lastSeq: Math.max(0, group.nextMessageSeq - 1),
  createTime: Number(group.createTime) || 0,
  isDissolved: false,
});

export const profileOf = (profile: Profile): ImProfile => ({ userID: profile.userID, nick: profile.nick, avatar: profile.avatar });

export const memberOf = (member: GroupMember): ImMember => {
  const role = roleOf(member.userID);
  return {
    userID: member.userID,
    nick: member.nick,
    avatar: member.avatar,
    joinTime: member.joinTime,
    muteUntil: member.muteUntil ?? 0,
    readSeq: 0,
    // The role follows from the id, whatever the vendor's field says.
    memberCustomField: role ? [{ key: 'userRole', value: ROLE_NAMES[role] }] : [],
  };
};

const remindOf = (type: unknown): RemindType => (type === 'AcceptNotNotify' || type === 'Discard' ? type : 'AcceptAndNotify');

/** A conversation of the SDK; its last message comes in a shortened form. */
export function conversationOf(conversation: Conversation, find: (ID: string) => ImMessage | null): ImConversation {
  const id = conversation.conversationID as ConversationID;
  const last = conversation.lastMessage as { lastTime?: number; lastSequence?: number; ID?: string } | undefined;
  const isGroup = id.startsWith('GROUP');
  const lastMessage = last?.ID ? find(last.ID) : null;
  const lastSeq = last?.lastSequence ?? 0;
  return {
    conversationID: isGroup ? groupConversation(id.slice(5)) : singleConversation(id.slice(3)),
    type: isGroup ? 'GROUP' : 'C2C',
    unreadCount: conversation.unreadCount,
    isMarked: conversation.markList?.includes(MARKED) ?? false,
    isPinned: conversation.isPinned,
    remindType: remindOf(conversation.messageRemindType),
    draftText: conversation.draftText ?? '',
    lastSeq,
    readSeq: Math.max(0, lastSeq - conversation.unreadCount),
    lastMessage,
    lastMessageTime: last?.lastTime ?? 0,
    isDissolved: false,
    isMentioned: (conversation.groupAtInfoList ?? []).length > 0,
    ...(isGroup
      ? conversation.groupProfile
        ? { groupProfile: groupOf(conversation.groupProfile) }
        : {}
      : conversation.userProfile
        ? { userProfile: profileOf(conversation.userProfile) }
        : {}),
  };
}
