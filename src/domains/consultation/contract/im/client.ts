import type {
  ConversationID,
  CustomPayload,
  ImConversation,
  ImGroup,
  ImMember,
  ImMessage,
  ImProfile,
  RemindType,
  SearchPage,
  UserStatus,
} from './types.ts';

/** Rejects with an `ImError`. */
type ImResult<T> = Promise<{ code: 0; data: T }>;

export interface MessageInput<P> {
  /** Group or user. */
  to: string;
  conversationType: 'C2C' | 'GROUP';
  payload: P;
  cloudCustomData?: string;
  quoteSeq?: number;
  atUserList?: string[];
  needReadReceipt?: boolean;
}
/** What a page picked, or a browser's own file. */
export interface PickedFile {
  name: string;
  size: number;
  type: string;
  content?: unknown;
}
export type FileInput = Omit<MessageInput<never>, 'payload'> & { file: PickedFile; onProgress?: (share: number) => void };
interface RemindInput {
  conversationID: ConversationID;
  messageRemindType: RemindType;
}
interface UserIds {
  userIDList: string[];
}
export interface GroupInput {
  name: string;
  groupID?: string;
  memberList: { userID: string }[];
}
export interface MembersInput {
  groupID: string;
  userIDList: string[];
  reason?: string;
}
export interface MembersResult {
  successUserIDList: string[];
  existedUserIDList: string[];
  failureUserIDList: string[];
}
/** `muteTime` in seconds; 0 lifts it. */
export interface MuteInput {
  groupID: string;
  userID: string;
  muteTime: number;
  reason?: string;
}
interface CustomFieldInput {
  groupID: string;
  userID: string;
  memberCustomField: { key: string; value: string }[];
}
export interface InviteRef {
  inviteID: string;
  data?: string;
}

export type InviteState = 'OPEN' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED' | 'TIMEOUT';
export interface ImInvite {
  inviteID: string;
  conversationID: ConversationID;
  groupID: string;
  inviter: string;
  inviteeList: string[];
  data: string;
  state: InviteState;
  /** Who answered last. */
  by: string;
  expiresAt: string;
}

/** Events by the SDK's names; those below the line are ours. */
export interface ImEvents {
  sdkStateReady: null;
  sdkStateNotReady: null;
  onMessageReceived: ImMessage[];
  onMessageModified: ImMessage[];
  onMessageRevoked: ImMessage[];
  onMessageReadByPeer: { conversationID: ConversationID; userID: string; readSeq: number }[];
  onConversationListUpdated: ImConversation[];
  onTotalUnreadMessageCountUpdated: number;
  onProfileUpdated: ImProfile[];
  blacklistUpdated: string[];
  kickedOut: { type: 'multipleAccount' | 'multipleDevice' | 'userSigExpired' };
  netStateChange: { state: 'connected' | 'connecting' | 'disconnected' };
  onUserStatusUpdated: UserStatus[];
  error: { code: number; message: string };
  // --
  onMessageStatus: ImMessage;
  onGroupMembersChanged: { conversationID: ConversationID; change: string; userIDList: string[] };
  onConversationRemoved: { conversationID: ConversationID };
  onTyping: { conversationID: ConversationID; userID: string; typing: boolean };
  onInvite: ImInvite;
  onWatchedMessage: ImMessage;
  onQueue: Record<string, number>;
  onRtc: RtcSignal;
}
export interface RtcSignal {
  roomId: number;
  from: string;
  kind: 'offer' | 'answer' | 'ice' | 'media' | 'bye';
  data: unknown;
}

type ImHandler<E extends keyof ImEvents> = (event: { name: E; data: ImEvents[E] }) => void;

/** The chat as pages use it: the same whether our own service or the vendor's stands behind it. */
export interface ImClient {
  /** Pages ask these, never the mode. */
  readonly capabilities: { search: boolean; edit: boolean; liveWatch: boolean };
  login(o: { userID: string; userSig: string }): ImResult<{ repeatLogin?: boolean }>;
  logout(): ImResult<null>;
  isReady(): boolean;
  destroy(): Promise<void>;
  on<E extends keyof ImEvents>(event: E, handler: ImHandler<E>): void;
  off: ImClient['on'];
  createTextMessage(o: MessageInput<{ text: string }>): ImMessage;
  createCustomMessage(o: MessageInput<CustomPayload>): ImMessage;
  createImageMessage(o: FileInput): ImMessage;
  createAudioMessage(o: FileInput & { second: number }): ImMessage;
  createVideoMessage(o: FileInput): ImMessage;
  createFileMessage(o: FileInput): ImMessage;
  sendMessage(message: ImMessage, o?: { onlineUserOnly?: boolean }): ImResult<{ message: ImMessage }>;
  resendMessage(message: ImMessage): ImResult<{ message: ImMessage }>;
  findMessage(ID: string): ImMessage | null;
  revokeMessage(message: ImMessage): ImResult<{ message: ImMessage }>;
  modifyMessage(message: ImMessage): ImResult<{ message: ImMessage }>;
  /** 15, oldest first; `nextReqMessageID` is empty at the end. */
  getMessageList(o: {
    conversationID: ConversationID;
    nextReqMessageID?: string;
  }): ImResult<{ messageList: ImMessage[]; nextReqMessageID: string; isCompleted: boolean }>;
  /** Around or from a place; direction 0 = older, 1 = newer. */
  getMessageListHopping(o: {
    conversationID: ConversationID;
    sequence?: number;
    time?: number;
    direction: 0 | 1;
  }): ImResult<{ messageList: ImMessage[]; isCompleted: boolean; nextMessageSeq?: number }>;
  searchCloudMessages(o: { keywordList: string[]; conversationID?: ConversationID; cursor?: string; count?: number }): ImResult<SearchPage>;
  setMessageRead(o: { conversationID: ConversationID }): ImResult<null>;
  setAllMessageRead(): ImResult<null>;
  sendMessageReadReceipt(list: ImMessage[]): ImResult<null>;
  getTotalUnreadMessageCount(): number;
  getConversationList(): ImResult<{ conversationList: ImConversation[]; isSyncCompleted: boolean }>;
  getConversationProfile(id: ConversationID): ImResult<{ conversation: ImConversation }>;
  pinConversation(o: { conversationID: ConversationID; isPinned: boolean }): ImResult<null>;
  setConversationDraft(o: { conversationID: ConversationID; draftText: string }): ImResult<null>;
  deleteConversation(id: ConversationID): ImResult<null>;
  setMessageRemindType(o: RemindInput): ImResult<null>;
  getGroupProfile(o: { groupID: string }): ImResult<{ group: ImGroup }>;
  /** `offset` of the answer is 0 on the last page. */
  getGroupMemberList(o: { groupID: string; count?: 30; offset?: number }): ImResult<{ memberList: ImMember[]; offset: number }>;
  getGroupMemberProfile(o: { groupID: string; userIDList: string[] }): ImResult<{ memberList: ImMember[] }>;
  createGroup(o: GroupInput): ImResult<{ group: ImGroup }>;
  addGroupMember(o: MembersInput): ImResult<MembersResult>;
  deleteGroupMember(o: MembersInput): ImResult<null>;
  setGroupMemberMuteTime(o: MuteInput): ImResult<null>;
  setGroupMemberCustomField(o: CustomFieldInput): ImResult<null>;
  getMyProfile(): ImResult<ImProfile>;
  getUserProfile(o: { userIDList: string[] }): ImResult<ImProfile[]>;
  getBlacklist(): ImResult<string[]>;
  addToBlacklist(o: UserIds): ImResult<string[]>;
  removeFromBlacklist(o: UserIds): ImResult<string[]>;
  getUserStatus(o: UserIds): ImResult<UserStatus[]>;
  subscribeUserStatus(o: UserIds): ImResult<null>;
  unsubscribeUserStatus(o?: UserIds): ImResult<null>;
  sendTyping(o: { conversationID: ConversationID; typing: boolean }): void;
  inviteInGroup(o: { groupID: string; inviteeList: string[]; data: string; timeout: number }): ImResult<{ inviteID: string }>;
  accept(o: InviteRef): ImResult<null>;
  reject(o: InviteRef): ImResult<null>;
  cancel(o: InviteRef): ImResult<null>;
}

/** What the embedded service can do besides; pages ask `capabilities.liveWatch` first. */
export interface ImExtras {
  /** Read up to this message, as far as it was rendered. */
  readUpTo(o: { conversationID: ConversationID; readSeq: number }): ImResult<null>;
  markUnread(o: { conversationID: ConversationID; isMarked: boolean }): ImResult<null>;
  watch(o: { conversationID: ConversationID; on: boolean }): ImResult<null>;
  sendRtc(signal: { roomId: number; to: string; kind: RtcSignal['kind']; data: unknown }): ImResult<null>;
  /** Messages of the outbox that were not delivered, oldest first. */
  undelivered(conversationID?: ConversationID): ImMessage[];
  discard(message: ImMessage): Promise<void>;
}
