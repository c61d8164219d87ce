import type { ChatSDK, Message } from '@tencentcloud/chat';

/** What this product uses of the vendor's SDK, by its own types. */
export type VendorSdk = Pick<
  ChatSDK,
  | 'login'
  | 'logout'
  | 'isReady'
  | 'destroy'
  | 'on'
  | 'off'
  | 'createTextMessage'
  | 'createTextAtMessage'
  | 'createCustomMessage'
  | 'sendMessage'
  | 'resendMessage'
  | 'findMessage'
  | 'revokeMessage'
  | 'modifyMessage'
  | 'getMessageList'
  | 'getMessageListHopping'
  | 'setMessageRead'
  | 'setAllMessageRead'
  | 'sendMessageReadReceipt'
  | 'getGroupMessageReadMemberList'
  | 'getConversationList'
  | 'getConversationProfile'
  | 'pinConversation'
  | 'setConversationDraft'
  | 'deleteConversation'
  | 'setMessageRemindType'
  | 'markConversation'
  | 'getGroupProfile'
  | 'getGroupMemberList'
  | 'getGroupMemberProfile'
  | 'getMyProfile'
  | 'getUserProfile'
  | 'getBlacklist'
  | 'addToBlacklist'
  | 'removeFromBlacklist'
  | 'getUserStatus'
  | 'subscribeUserStatus'
  | 'unsubscribeUserStatus'
  | 'addSignalingListener'
  | 'removeSignalingListener'
  | 'inviteInGroup'
  | 'accept'
  | 'reject'
  | 'cancel'
>;
export type SdkMessage = Message;
export type SdkTypes = Message['conversationType'];

/** The SDK's enumerations hold these texts; its module is loaded only where the vendor's mode is on. */
export const sdkEvents = {
  READY: 'sdkStateReady',
  NOT_READY: 'sdkStateNotReady',
  RECEIVED: 'onMessageReceived',
  MODIFIED: 'onMessageModified',
  REVOKED: 'onMessageRevoked',
  READ_BY_PEER: 'onMessageReadByPeer',
  READ_RECEIPT: 'onMessageReadReceiptReceived',
  CONVERSATIONS: 'onConversationListUpdated',
  TOTAL_UNREAD: 'onTotalUnreadMessageCountUpdated',
  PROFILE: 'onProfileUpdated',
  BLACKLIST: 'blacklistUpdated',
  KICKED_OUT: 'kickedOut',
  NET_STATE: 'netStateChange',
  STATUS: 'onUserStatusUpdated',
  ERROR: 'error',
} as const;
export const signals = {
  RECEIVED: 'newInvitationReceived',
  ACCEPTED: 'ts_invitee_accepted',
  REJECTED: 'ts_invitee_rejected',
  CANCELLED: 'ts_invitation_cancelled',
  TIMEOUT: 'ts_invitation_timeout',
} as const;
export const READ_ALL = 'readAllMessage' as SdkTypes;
/** Number of the vendor's own mark 标为未读. */
export const MARK_UNREAD = 2;
export const ONLINE = 1;

interface SdkMaker {
  create(options: { SDKAppID: number }): ChatSDK;
}
const isMaker = (value: unknown): value is SdkMaker =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && 'create' in value;

/** Loads the vendor's SDK. It is a megabyte, so nothing imports it but this. */
export async function loadSdk(sdkAppID: number): Promise<VendorSdk> {
  const { default: loaded } = await import('@tencentcloud/chat');
  // The package is a script of its own kind: what a bundler answers holds `create` itself or once more under `default`.
  const maker = [loaded as unknown, loaded.default as unknown].find(isMaker);
  if (!maker) throw new TypeError('The vendor SDK could not be loaded');
  return maker.create({ SDKAppID: sdkAppID });
}
