import type { Message } from '@tencentcloud/chat';
import type { VendorSdk } from '#domains/consultation/web/im/tencent/sdk.ts';
import { SdkError, type Listener, type VendorDouble } from './vendorDouble.ts';

type Handler = (event: { name: string; data: never }) => void;
const answer = <T>(data: T) => Promise.resolve({ code: 0, data });
const PAGE = 15;

/** The vendor's SDK on one device, by the SDK's own types, over a service of the test's own. */
export class SdkDouble implements VendorSdk, Listener {
  userID = '';
  readonly #vendor: VendorDouble;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #signals = new Map<string, Set<Handler>>();
  readonly #messages = new Map<string, Message>();
  #ready = false;

  constructor(vendor: VendorDouble) {
    this.#vendor = vendor;
  }

  #run<T>(work: () => T): Promise<{ code: number; data: T }> {
    return Promise.resolve().then(() => {
      if (!this.#ready) throw new SdkError(2999, 'sdk not ready');
      return { code: 0, data: work() };
    });
  }
  hear(name: string, data: unknown): void {
    for (const handler of this.#handlers.get(name) ?? []) handler({ name, data: data as never });
  }
  signal(name: string, data: unknown): void {
    for (const handler of this.#signals.get(name) ?? []) handler({ name, data: data as never });
  }
  remember(message: Message): void {
    const known = this.#messages.get(message.ID);
    if (known) Object.assign(known, message);
    else this.#messages.set(message.ID, message);
  }
  on: VendorSdk['on'] = (name: string, handler) =>
    void this.#handlers.set(name, (this.#handlers.get(name) ?? new Set<Handler>()).add(handler as Handler));
  off: VendorSdk['off'] = (name: string, handler) => void this.#handlers.get(name)?.delete(handler as Handler);
  addSignalingListener: VendorSdk['addSignalingListener'] = (name, handler) =>
    void this.#signals.set(name, (this.#signals.get(name) ?? new Set<Handler>()).add(handler as Handler));
  removeSignalingListener: VendorSdk['removeSignalingListener'] = (name, handler) =>
    void this.#signals.get(name)?.delete(handler as Handler);

  login: VendorSdk['login'] = ({ userID, userSig }) => {
    if (!userSig) return Promise.reject(new SdkError(70001, 'usersig expired'));
    this.userID = userID;
    this.#vendor.listeners.add(this);
    // Ready comes after the answer, as with the real one.
    queueMicrotask(() => {
      this.#ready = true;
      this.hear('sdkStateReady', null);
    });
    return answer({ repeatLogin: false });
  };
  logout: VendorSdk['logout'] = () => {
    this.#ready = false;
    this.#vendor.listeners.delete(this);
    return Promise.resolve();
  };
  isReady: VendorSdk['isReady'] = () => this.#ready;
  destroy: VendorSdk['destroy'] = () => this.logout();

  #make = (o: Parameters<VendorSdk['createTextMessage']>[0], type: string): Message => this.#vendor.newMessage(this.userID, o, type);
  createTextMessage: VendorSdk['createTextMessage'] = (o) => this.#make(o, 'TIMTextElem');
  createTextAtMessage: VendorSdk['createTextAtMessage'] = (o) =>
    Object.assign(this.#make(o, 'TIMTextElem'), { atUserList: (o.payload as { atUserList: string[] }).atUserList });
  createCustomMessage: VendorSdk['createCustomMessage'] = (o) => this.#make(o, 'TIMCustomElem');
  sendMessage: VendorSdk['sendMessage'] = (message, options?: { onlineUserOnly?: boolean }) =>
    this.#run(() => ({ message: this.#vendor.send(message, options?.onlineUserOnly ?? false) }));
  resendMessage: VendorSdk['resendMessage'] = (message) => this.sendMessage(message);
  findMessage: VendorSdk['findMessage'] = (ID) => this.#messages.get(ID) ?? null;
  revokeMessage: VendorSdk['revokeMessage'] = (message) => this.#run(() => ({ message: this.#vendor.revoke(message, this.userID) }));
  modifyMessage: VendorSdk['modifyMessage'] = (message) => this.#run(() => ({ message: this.#vendor.modify(message, this.userID) }));

  #talk(conversationID: string) {
    const talk = this.#vendor.talkOf(this.userID, conversationID);
    if (!talk) throw new SdkError(10010, 'conversation not exist');
    return talk;
  }
  #show(messages: Message[]): Message[] {
    for (const message of messages) this.remember(message);
    return messages;
  }
  getMessageList: VendorSdk['getMessageList'] = ({ conversationID, nextReqMessageID }) =>
    this.#run(() => {
      const talk = this.#vendor.talkOf(this.userID, conversationID);
      const all = talk ? this.#vendor.historyOf(talk, this.userID) : [];
      const end = nextReqMessageID ? all.findIndex(({ ID }) => ID === nextReqMessageID) : all.length;
      const messageList = this.#show(all.slice(Math.max(0, end - PAGE), end));
      const isCompleted = end - PAGE <= 0;
      return { messageList, nextReqMessageID: isCompleted ? '' : messageList[0]!.ID, isCompleted };
    });
  getMessageListHopping: VendorSdk['getMessageListHopping'] = ({ conversationID, sequence = 0, direction = 0 }) =>
    this.#run(() => {
      const all = this.#vendor.historyOf(this.#talk(conversationID), this.userID);
      const fitting =
        direction === 0
          ? all.filter((one) => one.sequence <= sequence).slice(-PAGE)
          : all.filter((one) => one.sequence >= sequence).slice(0, PAGE);
      return { messageList: this.#show(fitting), isCompleted: fitting.length < PAGE };
    });

  #change(conversationID: string, change: object) {
    const talk = this.#talk(conversationID);
    Object.assign(this.#vendor.settingsOf(talk, this.userID), change);
    this.#vendor.tellLists([this.userID]);
    return talk;
  }
  setMessageRead: VendorSdk['setMessageRead'] = ({ conversationID }) =>
    this.#run(() => void this.#change(conversationID, { readSeq: this.#talk(conversationID).messages.length, isMarked: false }));
  setAllMessageRead: VendorSdk['setAllMessageRead'] = () =>
    this.#run(() =>
      this.#vendor
        .listOf(this.userID)
        .forEach(({ conversationID }) => this.#change(conversationID, { readSeq: this.#talk(conversationID).messages.length })),
    );
  sendMessageReadReceipt: VendorSdk['sendMessageReadReceipt'] = (list) =>
    this.#run(() => {
      for (const message of list) {
        if (!message.needReadReceipt) throw new SdkError(2904, 'message needs no receipt');
        const readers = this.#vendor.readers.get(message.ID) ?? new Set<string>();
        this.#vendor.readers.set(message.ID, readers.add(this.userID));
        this.#vendor.tell([message.from], 'onMessageReadReceiptReceived', () => [
          { groupID: message.to, messageID: message.ID, readCount: readers.size, unreadCount: 0 },
        ]);
      }
    });
  getGroupMessageReadMemberList: VendorSdk['getGroupMessageReadMemberList'] = ({ message }) =>
    this.#run(() => ({
      messageID: message.ID,
      cursor: '',
      isCompleted: true,
      readUserIDList: [...(this.#vendor.readers.get(message.ID) ?? [])],
      unreadUserIDList: [],
    }));
  getConversationList: VendorSdk['getConversationList'] = () =>
    this.#run(() => ({ conversationList: this.#vendor.listOf(this.userID), isSyncCompleted: true }));
  getConversationProfile: VendorSdk['getConversationProfile'] = (conversationID) =>
    this.#run(() => ({ conversation: this.#vendor.conversation(this.#talk(conversationID), this.userID) }));
  pinConversation: VendorSdk['pinConversation'] = ({ conversationID, isPinned }) =>
    this.#run(() => void this.#change(conversationID, { isPinned }));
  setConversationDraft: VendorSdk['setConversationDraft'] = ({ conversationID, draftText }) =>
    this.#run(() => void this.#change(conversationID, { draftText }));
  deleteConversation: VendorSdk['deleteConversation'] = (options) =>
    this.#run(() =>
      (typeof options === 'string' ? [options] : options.conversationIDList).forEach((id) =>
        this.#change(id, { hidden: true, clearedSeq: this.#talk(id).messages.length }),
      ),
    );
  setMessageRemindType: VendorSdk['setMessageRemindType'] = ({ groupID, userIDList, messageRemindType }) =>
    this.#run(() => void this.#change(groupID ? `GROUP${groupID}` : `C2C${userIDList?.[0]}`, { remindType: messageRemindType }));
  markConversation: VendorSdk['markConversation'] = ({ conversationIDList, enableMark }) =>
    this.#run(() => conversationIDList.forEach((id) => this.#change(id, { isMarked: enableMark })));

  getGroupProfile: VendorSdk['getGroupProfile'] = ({ groupID }) =>
    this.#run(() => ({ group: this.#vendor.groupProfile(this.#talk(`GROUP${groupID}`)) }));
  getGroupMemberList: VendorSdk['getGroupMemberList'] = ({ groupID, count = 15, offset = 0 }) =>
    this.#run(() => {
      const { members } = this.#talk(`GROUP${groupID}`);
      const next = Number(offset) + count;
      return {
        memberList: members.slice(Number(offset), next).map((id) => this.#vendor.member(id)),
        offset: next < members.length ? next : 0,
      };
    });
  getGroupMemberProfile: VendorSdk['getGroupMemberProfile'] = ({ userIDList }) =>
    this.#run(() => ({ memberList: userIDList.map((id) => this.#vendor.member(id)) }));
  getMyProfile: VendorSdk['getMyProfile'] = () => this.#run(() => this.#vendor.profile(this.userID));
  getUserProfile: VendorSdk['getUserProfile'] = ({ userIDList }) => this.#run(() => userIDList.map((id) => this.#vendor.profile(id)));
  #blocked = () => this.#vendor.blocked.get(this.userID) ?? new Set<string>();
  getBlacklist: VendorSdk['getBlacklist'] = () => this.#run(() => [...this.#blocked()]);
  addToBlacklist: VendorSdk['addToBlacklist'] = ({ userIDList }) =>
    this.#run(() => (this.#vendor.blocked.set(this.userID, new Set([...this.#blocked(), ...userIDList])), userIDList));
  removeFromBlacklist: VendorSdk['removeFromBlacklist'] = ({ userIDList }) =>
    this.#run(() => (userIDList.forEach((id) => this.#blocked().delete(id)), userIDList));
  getUserStatus: VendorSdk['getUserStatus'] = ({ userIDList }) =>
    this.#run(() => ({
      successUserList: userIDList.map((userID) => ({
        userID,
        statusType: [...this.#vendor.listeners].some((one) => one.userID === userID) ? 1 : 2,
      })),
      failureUserList: [],
    }));
  subscribeUserStatus: VendorSdk['subscribeUserStatus'] = () => this.#run(() => ({ failureUserList: [] }));
  unsubscribeUserStatus: VendorSdk['unsubscribeUserStatus'] = () => this.#run(() => ({ failureUserList: [] }));

  inviteInGroup: VendorSdk['inviteInGroup'] = ({ groupID, inviteeList, data = '' }) =>
    this.#run(() => {
      const invite = { inviteID: crypto.randomUUID(), groupID, inviter: this.userID, inviteeList, data, open: true };
      this.#vendor.invites.set(invite.inviteID, invite);
      for (const one of this.#vendor.listeners)
        if (inviteeList.includes(one.userID)) one.signal('newInvitationReceived', { ...invite, timeout: 60 });
      return { inviteID: invite.inviteID };
    });
  #answer(inviteID: string, signal: string) {
    return this.#run(() => {
      const invite = this.#vendor.invites.get(inviteID);
      if (!invite?.open) throw new SdkError(8010, 'inviteID is invalid');
      invite.open = false;
      for (const one of this.#vendor.listeners)
        if ([invite.inviter, ...invite.inviteeList].includes(one.userID))
          one.signal(signal, {
            inviteID,
            groupID: invite.groupID,
            inviter: invite.inviter,
            invitee: this.userID,
            inviteeList: [],
            data: '',
          });
    });
  }
  accept: VendorSdk['accept'] = ({ inviteID }) => this.#answer(inviteID, 'ts_invitee_accepted');
  reject: VendorSdk['reject'] = ({ inviteID }) => this.#answer(inviteID, 'ts_invitee_rejected');
  cancel: VendorSdk['cancel'] = ({ inviteID }) => this.#answer(inviteID, 'ts_invitation_cancelled');
}
