/** What pages see of messages, conversations and members: the names and shapes of the vendor's SDK. */
export type ConversationID = `C2C${string}` | `GROUP${string}` | '@TIM#SYSTEM';

export const messageTypes = {
  TEXT: 'TIMTextElem',
  IMAGE: 'TIMImageElem',
  AUDIO: 'TIMSoundElem',
  VIDEO: 'TIMVideoFileElem',
  FILE: 'TIMFileElem',
  CUSTOM: 'TIMCustomElem',
  TIP: 'TIMGroupTipElem',
} as const;
export type MessageType = (typeof messageTypes)[keyof typeof messageTypes];

export interface TextPayload {
  text: string;
}
export interface CustomPayload {
  data: string;
  description: string;
  extension: string;
}
export interface ImagePayload {
  fileId: string;
  fileName: string;
  size: number;
  width?: number;
  height?: number;
}
export interface AudioPayload {
  fileId: string;
  fileName: string;
  size: number;
  second: number;
}
export interface VideoPayload {
  fileId: string;
  fileName: string;
  size: number;
  second?: number;
  thumbFileId?: string;
}
export interface FilePayload {
  fileId: string;
  fileName: string;
  fileSize: number;
}
/** A line in the middle of the chat. */
export interface TipPayload {
  text: string;
  operationType?: number;
  operatorID?: string;
  userIDList?: string[];
}
export type MessagePayload = TextPayload | CustomPayload | ImagePayload | AudioPayload | VideoPayload | FilePayload | TipPayload;

type MessageStatus = 'unSend' | 'success' | 'fail';

export interface ImMessage {
  /** `{convId}-{seq}` once stored; before that the client's own id. */
  ID: string;
  clientMsgId: string;
  type: MessageType;
  payload: MessagePayload;
  conversationID: ConversationID;
  conversationType: 'C2C' | 'GROUP';
  from: string;
  to: string;
  flow: 'in' | 'out';
  /** Seconds. */
  time: number;
  /** 0 while it is not stored. */
  sequence: number;
  status: MessageStatus;
  /** Why it failed. */
  fault?: { code: number; message: string };
  isRevoked: boolean;
  revoker: string;
  revokeReason: string;
  isModified: boolean;
  modifyVersion: number;
  nick: string;
  avatar: string;
  cloudCustomData: string;
  quoteSeq: number | null;
  atUserList: string[];
  needReadReceipt: boolean;
  countsUnread: boolean;
  /** Written by an engine. */
  auto: boolean;
  /** 0…1 while a file is uploaded. */
  progress: number;
}

export interface ImConversation {
  conversationID: ConversationID;
  type: 'C2C' | 'GROUP';
  unreadCount: number;
  /** 标为未读: shown as a dot. */
  isMarked: boolean;
  isPinned: boolean;
  remindType: RemindType;
  draftText: string;
  lastSeq: number;
  readSeq: number;
  lastMessage: ImMessage | null;
  /** Seconds; 0 without any message. */
  lastMessageTime: number;
  isDissolved: boolean;
  /** Somebody mentioned me in what I have not read. */
  isMentioned: boolean;
  groupProfile?: ImGroup;
  userProfile?: ImProfile;
}
export type RemindType = 'AcceptAndNotify' | 'AcceptNotNotify' | 'Discard';

export interface ImGroup {
  groupID: string;
  name: string;
  memberCount: number;
  lastSeq: number;
  createTime: number;
  isDissolved: boolean;
}

export interface ImMember {
  userID: string;
  nick: string;
  avatar: string;
  joinTime: number;
  /** Seconds; 0 = may write. */
  muteUntil: number;
  readSeq: number;
  memberCustomField: { key: 'userRole'; value: '医生' | '医助' | '患者' }[];
}

export interface ImProfile {
  userID: string;
  nick: string;
  avatar: string;
}
export interface UserStatus {
  userID: string;
  statusType: 'ONLINE' | 'OFFLINE';
}

export interface SearchHit {
  conversationID: ConversationID;
  message: ImMessage;
  snippet: string;
  highlights: [from: number, to: number][];
}
export interface SearchPage {
  searchResultList: SearchHit[];
  totalCount: number;
  cursor: string;
}
