import { imError } from '../../contract/im/codes.ts';
import type { FileInput, ImClient, ImExtras, MessageInput, RtcSignal } from '../../contract/im/client.ts';
import { PAGE, type MediaKind } from '../../contract/im/limits.ts';
import { messageTypes, type ConversationID, type CustomPayload, type ImMessage } from '../../contract/im/types.ts';
import type { WireHit } from '../../contract/im/wire.ts';
import { ChatState } from './chatState.ts';
import { filePayload, MEDIA_TYPES, storeFile, type EmbeddedOptions, type PendingFile, Emitter } from './clientParts.ts';
import { freshMessage, fromWire } from './messages.ts';

const ok = <T>(data: T): { code: 0; data: T } => ({ code: 0, data });

/** The chat over our own service. */
export class EmbeddedImClient implements ImClient, ImExtras {
  readonly capabilities = { search: true, edit: true, liveWatch: true };
  readonly #options: EmbeddedOptions;
  readonly #emitter = new Emitter();
  readonly #files = new WeakMap<ImMessage, PendingFile>();
  #state: ChatState | null = null;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
  }

  on: ImClient['on'] = (event, handler) => this.#emitter.on(event, handler);
  off: ImClient['off'] = (event, handler) => this.#emitter.off(event, handler);

  get #chat(): ChatState {
    if (!this.#state) throw imError('NOT_READY');
    return this.#state;
  }
  get #session() {
    return this.#chat.session;
  }
  /** The leading tab alone rings and shows notices. */
  get isLeader(): boolean {
    return this.#state?.session.link.isLeader ?? false;
  }
  /** Cuts the connection as a lost network would. */
  cut(): void {
    this.#state?.session.cut();
  }

  async login(o: { userID: string; userSig: string }) {
    if (this.#state?.me === o.userID) return ok({ repeatLogin: true });
    this.#state?.stop();
    const state = new ChatState(this.#options, o, this.#emitter);
    this.#state = state;
    try {
      await state.start();
    } catch (error) {
      if (this.#state === state) this.#state = null;
      throw error;
    }
    return ok({});
  }
  async logout() {
    const state = this.#state;
    this.#state = null;
    if (!state) return ok(null);
    state.session.link.note({ kind: 'logout' });
    // The word to the other tabs leaves before the channel closes.
    await Promise.resolve();
    state.stop();
    await this.#options.keeper(state.me).clear();
    this.#emitter.emit('sdkStateNotReady', null);
    return ok(null);
  }
  isReady = () => this.#state?.isReady ?? false;
  destroy() {
    this.#state?.stop();
    this.#state = null;
    this.#emitter.clear();
    return Promise.resolve();
  }

  createTextMessage = (o: MessageInput<{ text: string }>) => freshMessage(o, messageTypes.TEXT, o.payload, this.#chat.me);
  createCustomMessage = (o: MessageInput<CustomPayload>) => freshMessage(o, messageTypes.CUSTOM, o.payload, this.#chat.me);
  createImageMessage = (o: FileInput) => this.#fileMessage('image', o);
  createAudioMessage = (o: FileInput & { second: number }) => this.#fileMessage('audio', o, o.second);
  createVideoMessage = (o: FileInput) => this.#fileMessage('video', o);
  createFileMessage = (o: FileInput) => this.#fileMessage('file', o);
  #fileMessage(kind: MediaKind, o: FileInput, second?: number): ImMessage {
    const message = freshMessage(o, MEDIA_TYPES[kind], filePayload(kind, o, second), this.#chat.me);
    this.#files.set(message, { kind, file: o.file, onProgress: o.onProgress ?? (() => {}) });
    return message;
  }

  async sendMessage(message: ImMessage, o?: { onlineUserOnly?: boolean }) {
    const chat = this.#chat;
    const pending = this.#files.get(message);
    if (pending) {
      try {
        await storeFile(message, pending, this.#options.upload);
      } catch (error) {
        message.status = 'fail';
        throw error;
      }
      this.#files.delete(message);
    }
    return ok({ message: await (o?.onlineUserOnly ? chat.sendOnline(message) : chat.send(message)) });
  }
  resendMessage = (message: ImMessage) => (message.status === 'success' ? Promise.resolve(ok({ message })) : this.sendMessage(message));
  findMessage = (ID: string) => this.#chat.messages.find(ID);
  async revokeMessage({ conversationID, sequence }: ImMessage) {
    const { message } = await this.#session.request('revoke', { conversationID, seq: sequence });
    return ok({ message: this.#chat.take([message])[0]! });
  }
  async modifyMessage({ conversationID, sequence, payload, cloudCustomData, modifyVersion }: ImMessage) {
    const { message } = await this.#session.request('modify', { conversationID, seq: sequence, payload, cloudCustomData, modifyVersion });
    return ok({ message: this.#chat.take([message])[0]! });
  }

  async getMessageList({ conversationID, nextReqMessageID }: { conversationID: ConversationID; nextReqMessageID?: string }) {
    const beforeSeq = nextReqMessageID ? Number(nextReqMessageID.split('-').at(-1)) : undefined;
    const answer = await this.#session.request('history', {
      conversationID,
      limit: PAGE.messages,
      ...(beforeSeq === undefined ? {} : { beforeSeq }),
    });
    const messageList = this.#chat.take(answer.messages);
    if (beforeSeq === undefined) this.#chat.shown(conversationID, messageList.at(-1)?.sequence ?? 0);
    return ok({ messageList, isCompleted: answer.isCompleted, nextReqMessageID: answer.isCompleted ? '' : (messageList[0]?.ID ?? '') });
  }
  async getMessageListHopping({
    conversationID,
    sequence,
    time,
    direction,
  }: {
    conversationID: ConversationID;
    sequence?: number;
    time?: number;
    direction: 0 | 1;
  }) {
    const from =
      sequence === undefined
        ? time === undefined
          ? {}
          : { time }
        : direction === 0
          ? { beforeSeq: sequence }
          : { afterSeq: Math.max(0, sequence - 1) };
    const answer = await this.#session.request('history', { conversationID, limit: PAGE.messages, ...from });
    const messageList = this.#chat.take(answer.messages);
    const next = direction === 0 ? messageList[0]?.sequence : messageList.at(-1) && messageList.at(-1)!.sequence + 1;
    return ok({ messageList, isCompleted: answer.isCompleted, ...(next === undefined ? {} : { nextMessageSeq: next }) });
  }
  async searchCloudMessages(o: { keywordList: string[]; conversationID?: ConversationID; cursor?: string; count?: number }) {
    const answer = await this.#session.request('search', {
      keyword: o.keywordList.join(''),
      limit: o.count ?? PAGE.search,
      ...(o.conversationID ? { conversationID: o.conversationID } : {}),
      ...(o.cursor ? { cursor: o.cursor } : {}),
    });
    const hit = ({ message, ...found }: WireHit) => ({
      conversationID: message.conversationID as ConversationID,
      message: fromWire(message, this.#chat.me),
      ...found,
    });
    return ok({ searchResultList: answer.hits.map(hit), totalCount: answer.total, cursor: answer.nextCursor ?? '' });
  }

  setMessageRead = ({ conversationID }: { conversationID: ConversationID }) =>
    this.readUpTo({ conversationID, readSeq: this.#session.picture.conversations.get(conversationID)?.lastSeq ?? 0 });
  async readUpTo(o: { conversationID: ConversationID; readSeq: number }) {
    const { n } = await this.#session.request('read', o);
    await this.#session.reached(n);
    return ok(null);
  }
  async setAllMessageRead() {
    const { n } = await this.#session.request('readAll', {});
    await this.#session.reached(n);
    return ok(null);
  }
  async sendMessageReadReceipt(list: ImMessage[]) {
    for (const [conversationID, own] of Map.groupBy(list, (message) => message.conversationID))
      await this.readUpTo({ conversationID, readSeq: Math.max(...own.map(({ sequence }) => sequence)) });
    return ok(null);
  }
  getTotalUnreadMessageCount = () => this.#state?.session.picture.totalUnread() ?? 0;

  getConversationList = () => Promise.resolve(ok({ conversationList: this.#chat.list(), isSyncCompleted: this.#session.isListComplete }));
  async getConversationProfile(id: ConversationID) {
    await this.#session.fetchConversation(id);
    const conversation = this.#chat.conversation(id);
    if (!conversation) throw imError('NOT_FOUND');
    return ok({ conversation });
  }
  async #set(conversationID: ConversationID, change: Record<string, unknown>) {
    const { n } = await this.#session.request('setting', { conversationID, ...change });
    await this.#session.reached(n);
    return ok(null);
  }
  pinConversation = ({ conversationID, isPinned }: { conversationID: ConversationID; isPinned: boolean }) =>
    this.#set(conversationID, { isPinned });
  setConversationDraft = ({ conversationID, draftText }: { conversationID: ConversationID; draftText: string }) =>
    this.#set(conversationID, { draftText });
  deleteConversation = (id: ConversationID) => this.#set(id, { cleared: true });
  setMessageRemindType: ImClient['setMessageRemindType'] = ({ conversationID, messageRemindType }) =>
    this.#set(conversationID, { remindType: messageRemindType });
  markUnread = ({ conversationID, isMarked }: { conversationID: ConversationID; isMarked: boolean }) =>
    this.#set(conversationID, { isMarked });

  getGroupProfile: ImClient['getGroupProfile'] = async (o) => ok({ group: await this.#session.request('group', o) });
  async getGroupMemberList({ groupID, count = 30, offset = 0 }: { groupID: string; count?: 30; offset?: number }) {
    const { members, total } = await this.#session.request('members', { groupID, count, offset });
    const next = offset + members.length;
    return ok({ memberList: members, offset: next < total && members.length > 0 ? next : 0 });
  }
  getGroupMemberProfile: ImClient['getGroupMemberProfile'] = async ({ groupID, userIDList }) =>
    ok({ memberList: (await this.#session.request('members', { groupID, count: 100, offset: 0, userIDs: userIDList })).members });
  createGroup: ImClient['createGroup'] = async (o) => ok({ group: await this.#options.groups.createGroup(o) });
  addGroupMember: ImClient['addGroupMember'] = async (o) => ok(await this.#options.groups.addMembers(o));
  deleteGroupMember: ImClient['deleteGroupMember'] = async (o) => (await this.#options.groups.removeMembers(o), ok(null));
  setGroupMemberMuteTime: ImClient['setGroupMemberMuteTime'] = async (o) => (await this.#options.groups.muteMember(o), ok(null));
  /** The role follows from the id; nobody changes it. */
  setGroupMemberCustomField: ImClient['setGroupMemberCustomField'] = () => Promise.reject(imError('NOT_ALLOWED'));

  async getMyProfile() {
    const [profile] = (await this.getUserProfile({ userIDList: [this.#chat.me] })).data;
    if (!profile) throw imError('NOT_FOUND');
    return ok(profile);
  }
  getUserProfile: ImClient['getUserProfile'] = async ({ userIDList }) =>
    ok((await this.#session.request('profiles', { ids: userIDList })).profiles);
  #blacklist: (change: { add?: string[]; remove?: string[] }) => Promise<{ code: 0; data: string[] }> = async (change) =>
    ok((await this.#session.request('blacklist', change)).list);
  getBlacklist = () => this.#blacklist({});
  addToBlacklist: ImClient['addToBlacklist'] = ({ userIDList }) => this.#blacklist({ add: userIDList });
  removeFromBlacklist: ImClient['removeFromBlacklist'] = ({ userIDList }) => this.#blacklist({ remove: userIDList });
  getUserStatus: ImClient['getUserStatus'] = async ({ userIDList }) =>
    ok((await this.#session.request('status', { ids: userIDList, subscribe: false })).list);
  subscribeUserStatus: ImClient['subscribeUserStatus'] = async ({ userIDList }) => (await this.#chat.watch(userIDList), ok(null));
  unsubscribeUserStatus: ImClient['unsubscribeUserStatus'] = async (o) => (
    await this.#chat.watch(o ? this.#chat.watched.filter((id) => !o.userIDList.includes(id)) : []),
    ok(null)
  );
  sendTyping = ({ conversationID, typing }: { conversationID: ConversationID; typing: boolean }) =>
    this.#session.link.typing({ conversationID, on: typing });

  inviteInGroup: ImClient['inviteInGroup'] = async (o) => ok(await this.#session.request('invite', o));
  accept: ImClient['accept'] = async (o) => ok(await this.#session.request('accept', o));
  reject: ImClient['reject'] = async (o) => ok(await this.#session.request('reject', o));
  cancel: ImClient['cancel'] = async (o) => ok(await this.#session.request('cancel', o));

  watch: ImExtras['watch'] = async (o) => (await this.#session.request('watch', o), ok(null));
  sendRtc = async (signal: { roomId: number; to: string; kind: RtcSignal['kind']; data: unknown }) =>
    ok(await this.#session.request('rtc', signal));
  undelivered = (conversationID?: ConversationID) => this.#chat.undelivered(conversationID);
  discard = (message: ImMessage) => this.#chat.discard(message);
}
