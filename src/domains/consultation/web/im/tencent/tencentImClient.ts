import type { Conversation, Group, GroupMember, Profile } from '@tencentcloud/chat';
import { imError } from '../../../contract/im/codes.ts';
import type { FileInput, ImClient, ImExtras, InviteRef, MessageInput } from '../../../contract/im/client.ts';
import { PAGE, type MediaKind } from '../../../contract/im/limits.ts';
import {
  messageTypes,
  type ConversationID,
  type CustomPayload,
  type ImConversation,
  type ImMessage,
  type UserStatus,
} from '../../../contract/im/types.ts';
import { seal, unseal, carry } from '../../../contract/im/vendor.ts';
import { filePayload, MEDIA_TYPES, storeFile, type PendingFile, Emitter } from '../clientParts.ts';
import { freshMessage, fromWire, inListOrder } from '../messages.ts';
import { Invitations } from './calls.ts';
import { asked, faultOf } from './faults.ts';
import { hop, pageOf, type HistoryParts } from './history.ts';
import { hearVendor, typingData } from './incoming.ts';
import { Outgoing } from './outgoing.ts';
import type { TencentOptions } from './ports.ts';
import { conversationOf, groupOf, memberOf, messageOf, profileOf } from './shapes.ts';
import { loadSdk, MARK_UNREAD, ONLINE, READ_ALL, sdkEvents, type SdkMessage, type SdkTypes, type VendorSdk } from './sdk.ts';

const ok = <T>(data: T): { code: 0; data: T } => ({ code: 0, data });
const WATCH_MS = 3_000;
const TYPING_MS = 3_000;
/** The server cuts it to the last message. */
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** A conversation that is read along: how far it was told, and how its last messages stood then. */
interface Watched {
  timer: ReturnType<typeof setInterval>;
  afterSeq: number;
  orderStates: Map<number, string>;
}
const orderStatesOf = ({ isRevoked, modifyVersion }: { isRevoked: boolean; modifyVersion: number }) => `${isRevoked} ${modifyVersion}`;

interface Entered {
  sdk: VendorSdk;
  me: string;
  end: () => void;
}

/** The chat over the vendor's service; our own record completes what he does not keep. */
export class TencentImClient implements ImClient, ImExtras {
  readonly capabilities: ImClient['capabilities'];
  readonly isLeader = true;
  readonly #options: TencentOptions;
  readonly #emitter = new Emitter();
  readonly #files = new WeakMap<ImMessage, PendingFile>();
  readonly #outgoing = new Outgoing();
  readonly #invitations: Invitations;
  readonly #watched = new Map<ConversationID, Watched>();
  #conversations = new Map<ConversationID, ImConversation>();
  #entered: Entered | null = null;
  #lastTyping = 0;

  constructor(options: TencentOptions) {
    this.#options = options;
    this.capabilities = { search: options.store.search !== null, edit: true, liveWatch: false };
    this.#invitations = new Invitations(
      (invite) => this.#emitter.emit('onInvite', invite),
      () => this.#now(),
    );
  }

  on: ImClient['on'] = (event, handler) => this.#emitter.on(event, handler);
  off: ImClient['off'] = (event, handler) => this.#emitter.off(event, handler);

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
  get #in(): Entered {
    if (!this.#entered) throw imError('NOT_READY');
    return this.#entered;
  }
  get #sdk(): VendorSdk {
    return this.#in.sdk;
  }
  get #history(): HistoryParts {
    return { sdk: this.#in.sdk, me: this.#in.me, store: this.#options.store };
  }

  async login(o: { userID: string; userSig: string }) {
    if (this.#entered?.me === o.userID) return ok({ repeatLogin: true });
    if (this.#entered) await this.logout();
    const sdk = await (this.#options.load ?? loadSdk)(this.#options.sdkAppID);
    const end = hearVendor({
      sdk,
      me: o.userID,
      emitter: this.#emitter,
      listed: (list) => this.#listed(list),
      renew: () => this.#renew(sdk, o.userID),
      reconnected: () => this.#catchUp(),
    });
    this.#entered = { sdk, me: o.userID, end };
    this.#invitations.listen(sdk);
    try {
      const ready = new Promise<void>((resolve) => sdk.on(sdkEvents.READY, () => resolve()));
      await asked(sdk.login(o));
      if (!sdk.isReady()) await ready;
      await this.getConversationList();
    } catch (error) {
      this.#leave();
      throw error;
    }
    return ok({});
  }
  async #renew(sdk: VendorSdk, userID: string): Promise<boolean> {
    const userSig = await this.#options.renewSign?.().catch(() => null);
    if (!userSig) return false;
    return sdk.login({ userID, userSig }).then(
      () => true,
      () => false,
    );
  }
  #leave(): void {
    this.#invitations.stop();
    for (const { timer } of this.#watched.values()) clearInterval(timer);
    this.#watched.clear();
    this.#entered?.end();
    this.#entered = null;
    this.#conversations.clear();
  }
  async logout() {
    const entered = this.#entered;
    if (!entered) return ok(null);
    this.#leave();
    await entered.sdk.logout().catch((error: unknown) => {
      throw faultOf(error);
    });
    this.#emitter.emit('sdkStateNotReady', null);
    return ok(null);
  }
  isReady = () => this.#entered?.sdk.isReady() ?? false;
  async destroy() {
    const entered = this.#entered;
    this.#leave();
    this.#emitter.clear();
    await entered?.sdk.destroy();
  }

  createTextMessage = (o: MessageInput<{ text: string }>) => freshMessage(o, messageTypes.TEXT, o.payload, this.#in.me);
  createCustomMessage = (o: MessageInput<CustomPayload>) => freshMessage(o, messageTypes.CUSTOM, o.payload, this.#in.me);
  createImageMessage = (o: FileInput) => this.#fileMessage('image', o);
  createAudioMessage = (o: FileInput & { second: number }) => this.#fileMessage('audio', o, o.second);
  createVideoMessage = (o: FileInput) => this.#fileMessage('video', o);
  createFileMessage = (o: FileInput) => this.#fileMessage('file', o);
  #fileMessage(kind: MediaKind, o: FileInput, second?: number): ImMessage {
    const message = freshMessage(o, MEDIA_TYPES[kind], filePayload(kind, o, second), this.#in.me);
    this.#files.set(message, { kind, file: o.file, onProgress: o.onProgress ?? (() => {}) });
    return message;
  }

  async sendMessage(message: ImMessage, o?: { onlineUserOnly?: boolean }) {
    const { sdk } = this.#in;
    try {
      const pending = this.#files.get(message);
      if (pending) {
        await storeFile(message, pending, this.#options.upload).catch((error: unknown) => {
          message.status = 'fail';
          throw error;
        });
        this.#files.delete(message);
      }
      return ok({ message: await this.#outgoing.send(sdk, message, o?.onlineUserOnly ?? false) });
    } finally {
      if (!o?.onlineUserOnly) this.#emitter.emit('onMessageStatus', message);
    }
  }
  resendMessage = (message: ImMessage) => (message.status === 'success' ? Promise.resolve(ok({ message })) : this.sendMessage(message));
  findMessage = (ID: string) => {
    const message = this.#entered?.sdk.findMessage(ID);
    return message ? messageOf(message, this.#in.me) : null;
  };
  async revokeMessage({ ID }: ImMessage) {
    const message = this.#sdk.findMessage(ID);
    if (!message) throw imError('RECALL_FAILED');
    await asked(this.#sdk.revokeMessage(message));
    return ok({ message: { ...messageOf(message, this.#in.me), isRevoked: true, payload: { text: '' } } });
  }
  /** The version travels with the message; whoever saw an older one is told so, by us or by the vendor. */
  async modifyMessage(changed: ImMessage) {
    const message = this.#sdk.findMessage(changed.ID);
    if (!message) throw imError('NOT_FOUND');
    const sealed = unseal(message.cloudCustomData);
    if ((sealed?.modifyVersion ?? 0) !== changed.modifyVersion) throw imError('STALE');
    const before = { payload: message.payload as unknown, cloudCustomData: message.cloudCustomData };
    message.payload = carry(changed).payload;
    message.cloudCustomData = seal({
      ...sealed,
      clientMsgId: sealed?.clientMsgId ?? changed.clientMsgId,
      custom: changed.cloudCustomData,
      modifyVersion: changed.modifyVersion + 1,
    });
    try {
      const { message: after } = await asked<{ message: SdkMessage }>(this.#sdk.modifyMessage(message));
      return ok({ message: messageOf(after, this.#in.me) });
    } catch (error) {
      Object.assign(message, before);
      throw error;
    }
  }

  getMessageList: ImClient['getMessageList'] = async ({ conversationID, nextReqMessageID }) =>
    ok(await pageOf(this.#history, conversationID, nextReqMessageID));
  getMessageListHopping: ImClient['getMessageListHopping'] = async (o) => ok(await hop(this.#history, o));
  searchCloudMessages: ImClient['searchCloudMessages'] = async ({ keywordList, conversationID, cursor, count }) => {
    const { search } = this.#options.store;
    if (!search) throw imError('UNSUPPORTED');
    return ok(
      await search({
        keyword: keywordList.join(''),
        count: count ?? PAGE.search,
        ...(conversationID ? { conversationID } : {}),
        ...(cursor ? { cursor } : {}),
      }),
    );
  };

  setMessageRead = async ({ conversationID }: { conversationID: ConversationID }) => {
    await asked(this.#sdk.setMessageRead({ conversationID }));
    await this.#reportRead(conversationID, this.#conversations.get(conversationID)?.lastSeq ?? 0);
    return ok(null);
  };
  /** Our record must not keep anybody from reading on; the next report makes up for a lost one. */
  #reportRead = (conversationID: ConversationID, lastSeq: number): Promise<void> =>
    this.#options.store
      .read({ conversationID, readSeq: conversationID.startsWith('GROUP') && lastSeq > 0 ? lastSeq : EVERYTHING })
      .catch(() => {});
  /** The vendor knows conversations read or unread, nothing between; our record takes the place. */
  readUpTo = async ({ conversationID, readSeq }: { conversationID: ConversationID; readSeq: number }) => {
    if (readSeq >= (this.#conversations.get(conversationID)?.lastSeq ?? 0)) return this.setMessageRead({ conversationID });
    await this.#reportRead(conversationID, readSeq);
    return ok(null);
  };
  async setAllMessageRead() {
    await asked(this.#sdk.setAllMessageRead({ scope: READ_ALL }));
    await Promise.all(
      [...this.#conversations.values()]
        .filter(({ unreadCount }) => unreadCount > 0)
        .map(({ conversationID, lastSeq }) => this.#reportRead(conversationID, lastSeq)),
    );
    return ok(null);
  }
  async sendMessageReadReceipt(list: ImMessage[]) {
    const known = list.flatMap(({ ID }) => this.#sdk.findMessage(ID) ?? []).filter(({ flow }) => flow === 'in');
    if (known.length > 0) await asked(this.#sdk.sendMessageReadReceipt(known));
    return ok(null);
  }
  getTotalUnreadMessageCount = () =>
    [...this.#conversations.values()].reduce(
      (sum, { unreadCount, remindType }) => sum + (remindType === 'AcceptAndNotify' ? unreadCount : 0),
      0,
    );

  #listed(list: ImConversation[]): void {
    const before = this.getTotalUnreadMessageCount();
    const gone = [...this.#conversations.keys()].filter((id) => !list.some(({ conversationID }) => conversationID === id));
    this.#conversations = new Map(list.map((conversation) => [conversation.conversationID, conversation]));
    for (const conversationID of gone) this.#emitter.emit('onConversationRemoved', { conversationID });
    const total = this.getTotalUnreadMessageCount();
    if (total !== before) this.#emitter.emit('onTotalUnreadMessageCountUpdated', total);
  }
  #conversation = (conversation: Conversation): ImConversation => conversationOf(conversation, this.findMessage);
  getConversationList: ImClient['getConversationList'] = async () => {
    const { conversationList, isSyncCompleted } = await asked<{ conversationList: Conversation[]; isSyncCompleted: boolean }>(
      this.#sdk.getConversationList(),
    );
    const list = conversationList.filter(({ conversationID }) => conversationID !== '@TIM#SYSTEM').map(this.#conversation);
    this.#listed(list);
    return ok({ conversationList: list.toSorted(inListOrder), isSyncCompleted: isSyncCompleted ?? true });
  };
  getConversationProfile: ImClient['getConversationProfile'] = async (id) => {
    const { conversation } = await asked<{ conversation: Conversation }>(this.#sdk.getConversationProfile(id));
    return ok({ conversation: this.#conversation(conversation) });
  };
  pinConversation: ImClient['pinConversation'] = async (o) => (await asked(this.#sdk.pinConversation(o)), ok(null));
  setConversationDraft: ImClient['setConversationDraft'] = async (o) => (await asked(this.#sdk.setConversationDraft(o)), ok(null));
  async deleteConversation(id: ConversationID) {
    await asked(this.#sdk.deleteConversation(id));
    await this.#options.store.clear({ conversationID: id });
    return ok(null);
  }
  setMessageRemindType: ImClient['setMessageRemindType'] = async ({ conversationID, messageRemindType }) => {
    const whom = conversationID.startsWith('GROUP') ? { groupID: conversationID.slice(5) } : { userIDList: [conversationID.slice(3)] };
    await asked(this.#sdk.setMessageRemindType({ ...whom, messageRemindType: messageRemindType as SdkTypes }));
    return ok(null);
  };
  markUnread: ImExtras['markUnread'] = async ({ conversationID, isMarked }) => (
    await asked(this.#sdk.markConversation({ conversationIDList: [conversationID], markType: MARK_UNREAD, enableMark: isMarked })),
    ok(null)
  );

  getGroupProfile: ImClient['getGroupProfile'] = async (o) =>
    ok({ group: groupOf((await asked<{ group: Group }>(this.#sdk.getGroupProfile(o))).group) });
  getGroupMemberList: ImClient['getGroupMemberList'] = async ({ groupID, count = 30, offset = 0 }) => {
    const answer = await asked<{ memberList: GroupMember[]; offset: number }>(this.#sdk.getGroupMemberList({ groupID, count, offset }));
    return ok({ memberList: answer.memberList.map(memberOf), offset: Number(answer.offset) || 0 });
  };
  getGroupMemberProfile: ImClient['getGroupMemberProfile'] = async (o) =>
    ok({
      memberList: (
        await asked<{ memberList: GroupMember[] }>(this.#sdk.getGroupMemberProfile({ ...o, memberCustomFieldFilter: ['userRole'] }))
      ).memberList.map(memberOf),
    });
  createGroup: ImClient['createGroup'] = async (o) => ok({ group: await this.#options.groups.createGroup(o) });
  addGroupMember: ImClient['addGroupMember'] = async (o) => ok(await this.#options.groups.addMembers(o));
  deleteGroupMember: ImClient['deleteGroupMember'] = async (o) => (await this.#options.groups.removeMembers(o), ok(null));
  setGroupMemberMuteTime: ImClient['setGroupMemberMuteTime'] = async (o) => (await this.#options.groups.muteMember(o), ok(null));
  /** The role follows from the id; nobody changes it. */
  setGroupMemberCustomField: ImClient['setGroupMemberCustomField'] = () => Promise.reject(imError('NOT_ALLOWED'));

  getMyProfile: ImClient['getMyProfile'] = async () => ok(profileOf(await asked<Profile>(this.#sdk.getMyProfile())));
  getUserProfile: ImClient['getUserProfile'] = async (o) => ok((await asked<Profile[]>(this.#sdk.getUserProfile(o))).map(profileOf));
  getBlacklist: ImClient['getBlacklist'] = async () => ok(await asked<string[]>(this.#sdk.getBlacklist()));
  addToBlacklist: ImClient['addToBlacklist'] = async (o) => (await asked(this.#sdk.addToBlacklist(o)), this.getBlacklist());
  removeFromBlacklist: ImClient['removeFromBlacklist'] = async (o) => (await asked(this.#sdk.removeFromBlacklist(o)), this.getBlacklist());
  getUserStatus: ImClient['getUserStatus'] = async (o) => {
    const { successUserList } = await asked<{ successUserList: { userID: string; statusType: number }[] }>(this.#sdk.getUserStatus(o));
    const online = new Set(successUserList.filter(({ statusType }) => statusType === ONLINE).map(({ userID }) => userID));
    return ok(o.userIDList.map((userID): UserStatus => ({ userID, statusType: online.has(userID) ? 'ONLINE' : 'OFFLINE' })));
  };
  subscribeUserStatus: ImClient['subscribeUserStatus'] = async (o) => (await asked(this.#sdk.subscribeUserStatus(o)), ok(null));
  unsubscribeUserStatus: ImClient['unsubscribeUserStatus'] = async (o) => (
    await asked(this.#sdk.unsubscribeUserStatus({ userIDList: o?.userIDList })),
    ok(null)
  );

  /** A custom message for those who are there now; at most one in three seconds. */
  sendTyping = ({ conversationID, typing }: { conversationID: ConversationID; typing: boolean }) => {
    const { sdk } = this.#in;
    if (typing && this.#now() - this.#lastTyping < TYPING_MS) return;
    this.#lastTyping = typing ? this.#now() : 0;
    const isGroup = conversationID.startsWith('GROUP');
    const message = sdk.createCustomMessage({
      to: conversationID.slice(isGroup ? 5 : 3),
      conversationType: (isGroup ? 'GROUP' : 'C2C') as SdkTypes,
      payload: typingData(typing),
    });
    void sdk.sendMessage(message, { onlineUserOnly: true }).catch(() => {});
  };

  inviteInGroup: ImClient['inviteInGroup'] = async (o) => {
    const { inviteID } = await asked<{ inviteID: string }>(this.#sdk.inviteInGroup({ ...o, onlineUserOnly: true }));
    this.#invitations.made(inviteID, { ...o, inviter: this.#in.me });
    return ok({ inviteID });
  };
  accept: ImClient['accept'] = async (o: InviteRef) => (await asked(this.#sdk.accept(o)), ok(null));
  reject: ImClient['reject'] = async (o: InviteRef) => (await asked(this.#sdk.reject(o)), ok(null));
  cancel: ImClient['cancel'] = async (o: InviteRef) => (await asked(this.#sdk.cancel(o)), ok(null));

  /** Reading along without being a member: our own record is read every three seconds. */
  watch: ImExtras['watch'] = async ({ conversationID, on }) => {
    const known = this.#watched.get(conversationID);
    if (known) clearInterval(known.timer);
    this.#watched.delete(conversationID);
    if (!on) return ok(null);
    const { messages } = await this.#options.store.history({ conversationID, pageSize: PAGE.messages });
    this.#watched.set(conversationID, {
      timer: setInterval(() => void this.#look(conversationID).catch(() => {}), WATCH_MS),
      afterSeq: messages.at(-1)?.seq ?? 0,
      orderStates: new Map(messages.map((message) => [message.seq, orderStatesOf(message)])),
    });
    return ok(null);
  };
  async #look(conversationID: ConversationID): Promise<void> {
    const watched = this.#watched.get(conversationID);
    const me = this.#entered?.me;
    if (!watched || me === undefined) return;
    // The last ones are asked for again: nobody else tells a watcher that one was recalled.
    const { messages } = await this.#options.store.history({
      conversationID,
      afterSeq: Math.max(0, watched.afterSeq - PAGE.messages),
      pageSize: 2 * PAGE.messages,
    });
    for (const message of messages) {
      const known = watched.orderStates.get(message.seq);
      watched.orderStates.set(message.seq, orderStatesOf(message));
      if (message.seq > watched.afterSeq) {
        watched.afterSeq = message.seq;
        this.#emitter.emit('onWatchedMessage', fromWire(message, me));
      } else if (known !== undefined && known !== orderStatesOf(message))
        this.#emitter.emit(message.isRevoked ? 'onMessageRevoked' : 'onMessageModified', [fromWire(message, me)]);
    }
    for (const seq of watched.orderStates.keys()) if (seq <= watched.afterSeq - PAGE.messages) watched.orderStates.delete(seq);
  }
  /** After a cut network the watched conversations are looked at once more; the vendor brings the rest. */
  #catchUp(): void {
    for (const conversationID of this.#watched.keys()) void this.#look(conversationID).catch(() => {});
  }
  /** Calls run in the vendor's rooms, which need no signals of ours. */
  sendRtc: ImExtras['sendRtc'] = () => Promise.reject(imError('UNSUPPORTED'));
  undelivered: ImExtras['undelivered'] = (conversationID) => this.#outgoing.failed(conversationID);
  discard: ImExtras['discard'] = (message) => {
    this.#outgoing.forget(message);
    return Promise.resolve();
  };
}
