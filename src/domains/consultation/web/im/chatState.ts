import { imError } from '../../contract/im/codes.ts';
import type { ImEvents } from '../../contract/im/client.ts';
import type { ConversationID, ImConversation, ImMessage, MessagePayload, MessageType } from '../../contract/im/types.ts';
import type { Answers, WireEvent, WireMessage } from '../../contract/im/wire.ts';
import type { EmbeddedOptions, Emitter } from './clientParts.ts';
import type { OutboxEntry } from './kept/keeper.ts';
import type { LinkEvent } from './links/socketLink.ts';
import { MessageCache } from './messageCache.ts';
import { conversationOf, freshMessage, fromWire, inListOrder, sendOf } from './messages.ts';
import { Session, type TabNote } from './session/session.ts';

interface Pending {
  resolve(message: ImMessage): void;
  reject(error: Error): void;
}
const FILL = 100;

/** What one login holds, and how the service's events become the client's. */
export class ChatState {
  readonly session: Session;
  readonly messages = new MessageCache();
  readonly me: string;
  readonly #emitter: Emitter;
  readonly #pending = new Map<string, Pending[]>();
  /** Conversations whose messages a page has loaded, with the last one that was shown. */
  readonly #shown = new Map<string, number>();
  readonly #filling = new Map<string, Promise<void>>();
  /** Whose coming and going this tab's pages show. */
  #watched: readonly string[] = [];
  #undelivered: OutboxEntry[] = [];
  #total = -1;
  #wasReady = false;
  #ready: (() => void)[] = [];
  #refused: ((error: Error) => void)[] = [];

  constructor(options: EmbeddedOptions, login: { userID: string; userSig: string }, emitter: Emitter) {
    this.me = login.userID;
    this.#emitter = emitter;
    let sign = login.userSig;
    this.session = new Session({
      facts: {
        address: options.address,
        sdkAppID: options.sdkAppID,
        device: options.device,
        clientId: options.clientId,
        userID: login.userID,
        userSig: () => sign,
        renewSign:
          options.renewSign &&
          (async () => {
            const fresh = (await options.renewSign?.()) ?? null;
            sign = fresh ?? sign;
            return fresh;
          }),
      },
      keeper: options.keeper(login.userID),
      tabs: options.tabs,
      onEvents: (events) => this.#onEvents(events),
      onPicture: (changed) => this.#onPicture(changed),
      onReset: () => void this.#refill(),
      onLink: (event) => this.#onLink(event),
      onSynced: () => this.#onSynced(),
      onNote: (note) => this.#onNote(note),
    });
  }

  get isReady(): boolean {
    return this.session.isSynced && this.session.link.isOpen;
  }

  /** Restores what the browser kept, then waits for the first complete picture. */
  async start(): Promise<void> {
    this.#undelivered = await this.session.keptOutbox();
    for (const entry of this.#undelivered) this.#restoreOwn(entry);
    await this.session.restore();
    if (this.isReady) return;
    await new Promise<void>((resolve, reject) => {
      this.#ready.push(resolve);
      this.#refused.push(reject);
    });
  }

  stop(): void {
    this.session.stop();
    for (const reject of this.#refused.splice(0)) reject(imError('BROKEN'));
    for (const waiting of this.#pending.values()) for (const { reject } of waiting) reject(imError('BROKEN'));
    this.#pending.clear();
  }

  /** Takes in what the service answered; pages get the one object of each message. */
  take(messages: readonly WireMessage[]): ImMessage[] {
    return messages.map((message) => this.messages.merge(fromWire(message, this.me)));
  }

  /** A page shows this conversation up to here, so that later holes are filled. */
  shown(conversationID: string, seq: number): void {
    this.#shown.set(conversationID, Math.max(seq, this.#shown.get(conversationID) ?? 0));
  }

  conversation(id: string): ImConversation | null {
    const wire = this.session.picture.conversations.get(id);
    return wire ? conversationOf(wire, this.me) : null;
  }

  list(): ImConversation[] {
    return [...this.session.picture.conversations.values()].map((wire) => conversationOf(wire, this.me)).toSorted(inListOrder);
  }

  undelivered(conversationID?: string): ImMessage[] {
    return this.#undelivered
      .filter((entry) => !conversationID || entry.conversationID === conversationID)
      .flatMap(({ clientMsgId }) => this.messages.own(clientMsgId) ?? []);
  }

  /** Replaces whose presence is told; the service forgets it with the connection, so it is asked for anew after each. */
  async watch(userIDs: readonly string[]): Promise<void> {
    this.#watched = [...new Set(userIDs)];
    await this.#askPresence();
  }

  get watched(): readonly string[] {
    return this.#watched;
  }

  async #askPresence(): Promise<void> {
    const ids = [...this.#watched];
    const { list } = await this.session.request('status', { ids, subscribe: ids.length > 0 });
    if (list.length > 0) this.#emitter.emit('onUserStatusUpdated', list);
  }

  /** Passes a message to whoever is connected now; it never waits and nothing keeps it. */
  async sendOnline(message: ImMessage): Promise<ImMessage> {
    const answer = await this.session.request('send', { ...sendOf(message), onlineUserOnly: true }).catch((error: unknown) => {
      message.status = 'fail';
      throw error;
    });
    return Object.assign(message, { ID: answer.ID, time: answer.time, status: 'success' });
  }

  /** Writes a message into the outbox; resolves when the service has it. */
  async send(message: ImMessage): Promise<ImMessage> {
    const writtenAt = Date.now();
    const entry: OutboxEntry = {
      clientMsgId: message.clientMsgId,
      conversationID: message.conversationID,
      order: writtenAt * 1000 + (this.#undelivered.length % 1000),
      writtenAt,
      state: 'waiting',
      send: sendOf(message),
    };
    this.messages.keepOwn(message);
    message.status = 'unSend';
    delete message.fault;
    this.#undelivered = [...this.#undelivered.filter(({ clientMsgId }) => clientMsgId !== entry.clientMsgId), entry];
    this.#emitter.emit('onMessageStatus', message);
    const stored = new Promise<ImMessage>((resolve, reject) => {
      this.#pending.set(message.clientMsgId, [...(this.#pending.get(message.clientMsgId) ?? []), { resolve, reject }]);
    });
    await this.session.post(entry);
    return stored;
  }

  async discard(message: ImMessage): Promise<void> {
    this.#undelivered = this.#undelivered.filter(({ clientMsgId }) => clientMsgId !== message.clientMsgId);
    this.messages.dropOwn(message.clientMsgId);
    await this.session.unpost(message.clientMsgId);
  }

  #restoreOwn(entry: OutboxEntry): void {
    const isGroup = entry.conversationID.startsWith('GROUP');
    const to = entry.conversationID.slice(isGroup ? 5 : 3);
    const { type, payload } = entry.send as { type: MessageType; payload: object } as { type: MessageType; payload: MessagePayload };
    const message = freshMessage(
      { to, conversationType: isGroup ? 'GROUP' : 'C2C' },
      type,
      payload,
      this.me,
      entry.clientMsgId,
      entry.writtenAt,
    );
    if (entry.state === 'failed') Object.assign(message, { status: 'fail', fault: entry.fault });
    this.messages.keepOwn(message);
  }

  #delivered(clientMsgId: string, facts: Partial<ImMessage>): void {
    this.#undelivered = this.#undelivered.filter((entry) => entry.clientMsgId !== clientMsgId);
    const message = this.messages.own(clientMsgId);
    if (!message) return;
    const before = message.status;
    Object.assign(message, facts, { status: 'success' });
    delete message.fault;
    if (message.sequence > 0) this.messages.merge(message);
    if (before !== 'success') this.#emitter.emit('onMessageStatus', message);
    for (const { resolve } of this.#pending.get(clientMsgId) ?? []) resolve(message);
    this.#pending.delete(clientMsgId);
  }

  #onNote(note: TabNote): void {
    if (note.kind === 'sent')
      this.#delivered(note.entry.clientMsgId, { ID: note.answer.ID, sequence: note.answer.seq, time: note.answer.time });
    if (note.kind === 'failed') {
      this.#undelivered = this.#undelivered.map((entry) => (entry.clientMsgId === note.entry.clientMsgId ? note.entry : entry));
      const message = this.messages.own(note.entry.clientMsgId);
      if (message) this.#emitter.emit('onMessageStatus', Object.assign(message, { status: 'fail', fault: note.fault }));
      const error = Object.assign(imError('OFFLINE', { message: note.fault.message }), { code: note.fault.code });
      for (const { reject } of this.#pending.get(note.entry.clientMsgId) ?? []) reject(error);
      this.#pending.delete(note.entry.clientMsgId);
    }
    if (note.kind === 'logout') this.#left('userSigExpired');
  }

  #left(type: ImEvents['kickedOut']['type']): void {
    this.stop();
    this.#emitter.emit('sdkStateNotReady', null);
    this.#emitter.emit('kickedOut', { type });
  }

  #onLink(event: LinkEvent): void {
    if (event.type === 'state') {
      this.#emitter.emit('netStateChange', { state: event.state });
    } else if (event.type === 'kicked') {
      for (const reject of this.#refused.splice(0)) reject(imError(event.reason === 'userSigExpired' ? 'SIG_REFUSED' : 'REPLACED'));
      this.#left(event.reason);
    } else if (event.type === 'live') this.#onLive(event.signal);
  }

  #onSynced(): void {
    this.#refused = [];
    for (const resolve of this.#ready.splice(0)) resolve();
    this.#emitter.emit('netStateChange', { state: 'connected' });
    if (!this.#wasReady) this.#emitter.emit('sdkStateReady', null);
    this.#wasReady = true;
    if (this.#watched.length > 0) this.#askPresence().catch(() => {});
    this.#sum();
  }

  #onLive(signal: Extract<LinkEvent, { type: 'live' }>['signal']): void {
    if (signal.type === 'typing')
      this.#emitter.emit('onTyping', { conversationID: signal.conversationID as ConversationID, userID: signal.userID, typing: signal.on });
    else if (signal.type === 'presence') {
      const list = signal.list.filter(({ userID }) => this.#watched.includes(userID));
      if (list.length > 0) this.#emitter.emit('onUserStatusUpdated', list);
    } else if (signal.type === 'onlineMsg') this.#emitter.emit('onMessageReceived', [fromWire(signal.message, this.me)]);
    else if (signal.type === 'readPeer')
      this.#emitter.emit('onMessageReadByPeer', [{ ...signal, conversationID: signal.conversationID as ConversationID }]);
    else if (signal.type === 'watchMsg') this.#emitter.emit('onWatchedMessage', fromWire(signal.message, this.me));
    else if (signal.type === 'watchChanged')
      this.#emitter.emit(signal.message.isRevoked ? 'onMessageRevoked' : 'onMessageModified', this.take([signal.message]));
    else if (signal.type === 'queue') this.#emitter.emit('onQueue', signal.counts);
    else this.#emitter.emit('onRtc', signal);
  }

  #onPicture(changed: ReadonlySet<string>): void {
    this.#emitter.emit(
      'onConversationListUpdated',
      [...changed].flatMap((id) => this.conversation(id) ?? []),
    );
    this.#sum();
  }

  #sum(): void {
    const total = this.session.picture.totalUnread();
    if (total === this.#total) return;
    this.#total = total;
    this.#emitter.emit('onTotalUnreadMessageCountUpdated', total);
  }

  #onEvents(events: readonly WireEvent[]): void {
    const received: ImMessage[] = [];
    for (const event of events) this.#onEvent(event, received);
    if (received.length > 0) this.#emitter.emit('onMessageReceived', received);
  }

  #onEvent(event: WireEvent, received: ImMessage[]): void {
    switch (event.type) {
      case 'msg':
        return this.#onMessage(event.message, received);
      case 'msgModified':
        return this.#emitter.emit('onMessageModified', this.take([event.message]));
      case 'msgRevoked': {
        const known = [...this.messages.of(event.conversationID, event.seq)];
        for (const message of known)
          Object.assign(message, {
            isRevoked: true,
            revoker: event.revoker,
            revokeReason: event.reason,
            payload: { text: '' },
            cloudCustomData: '',
          });
        if (known.length > 0) this.#emitter.emit('onMessageRevoked', known);
        return;
      }
      case 'member':
        return this.#emitter.emit('onGroupMembersChanged', {
          conversationID: event.conversationID as ConversationID,
          change: event.change,
          userIDList: event.userIDs,
        });
      case 'convRemoved':
        return this.#emitter.emit('onConversationRemoved', { conversationID: event.conversationID as ConversationID });
      case 'invite':
        return this.#emitter.emit('onInvite', { ...event.invite, conversationID: event.invite.conversationID as ConversationID });
      case 'profile':
        return this.#emitter.emit('onProfileUpdated', [event.profile]);
      case 'blacklist':
        return this.#emitter.emit('blacklistUpdated', event.list);
      default:
    }
  }

  #onMessage(wire: WireMessage, received: ImMessage[]): void {
    const isOwn = wire.from === this.me && this.messages.own(wire.clientMsgId) !== null;
    const last = this.#shown.get(wire.conversationID);
    const message = this.messages.merge(fromWire(wire, this.me));
    if (isOwn) this.#delivered(wire.clientMsgId, { ID: wire.ID, sequence: wire.seq });
    if (last !== undefined && (wire.seq > last + 1 || this.#filling.has(wire.conversationID))) return this.#fill(wire.conversationID);
    this.#shown.set(wire.conversationID, Math.max(last ?? 0, wire.seq));
    if (!isOwn) received.push(message);
  }

  /** Fetches what lies between what is shown and the end; nothing behind a hole is shown before it is filled. */
  #fill(id: string): void {
    if (this.#filling.has(id)) return;
    const fetchMissing = async () => {
      for (;;) {
        const answer: Answers['history'] = await this.session.request('history', {
          conversationID: id,
          afterSeq: this.#shown.get(id) ?? 0,
          limit: FILL,
        });
        const fresh = answer.messages.filter(({ seq }) => seq > (this.#shown.get(id) ?? 0));
        if (fresh.length === 0) return;
        this.#shown.set(id, fresh.at(-1)!.seq);
        const foreign = fresh.filter((wire) => wire.from !== this.me || this.messages.own(wire.clientMsgId) === null);
        const messages = this.take(foreign);
        for (const wire of fresh) if (!foreign.includes(wire)) this.#delivered(wire.clientMsgId, { ID: wire.ID, sequence: wire.seq });
        if (messages.length > 0) this.#emitter.emit('onMessageReceived', messages);
      }
    };
    this.#filling.set(
      id,
      fetchMissing()
        .catch(() => {})
        .finally(() => this.#filling.delete(id)),
    );
  }

  async #refill(): Promise<void> {
    for (const id of this.#shown.keys()) this.#fill(id);
    await Promise.all(this.#filling.values());
  }
}
