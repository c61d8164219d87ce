import { ImError } from '../../../contract/im/codes.ts';
import type { ImEvents } from '../../../contract/im/client.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import { messageTypes, type ConversationID, type CustomPayload, type ImMessage } from '../../../contract/im/types.ts';
import type { WxClient } from '../openClient.ts';

export interface ChatPicture {
  messages: readonly ImMessage[];
  loading: boolean;
  /** Nothing older is left. */
  complete: boolean;
  /** Why the last message was refused. */
  fault: string | null;
  typing: boolean;
}

const TYPING_MS = 6_000;
/** So many messages stay in the page; older ones are loaded again when one scrolls up. */
const MOST = 400;

/** Order of the page: stored ones by number, then what is on its way. */
const inOrder = (messages: Iterable<ImMessage>): ImMessage[] =>
  [...messages].toSorted((a, b) => (a.sequence || Number.MAX_SAFE_INTEGER) - (b.sequence || Number.MAX_SAFE_INTEGER) || a.time - b.time);

/** The open conversation of a participant. */
export class ChatModel {
  readonly conversationID: ConversationID;
  readonly groupID: string;
  readonly #client: WxClient;
  readonly #messages = new Map<string, ImMessage>();
  readonly #listeners = new Set<() => void>();
  #picture: ChatPicture = { messages: [], loading: true, complete: false, fault: null, typing: false };
  #next = '';
  #stopped = false;
  #typing: ReturnType<typeof setTimeout> | null = null;

  constructor(client: WxClient, groupID: string) {
    this.#client = client;
    this.groupID = groupID;
    this.conversationID = groupConversation(groupID);
    client.place.groupID = groupID;
    client.on('onMessageReceived', this.#onMessages);
    client.on('onMessageModified', this.#onMessages);
    client.on('onMessageRevoked', this.#onMessages);
    client.on('onMessageStatus', this.#onStatus);
    client.on('onTyping', this.#onTyping);
    void this.#open();
  }

  readonly subscribe = (listen: () => void): (() => void) => {
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  };
  readonly snapshot = (): ChatPicture => this.#picture;

  stop(): void {
    this.#stopped = true;
    const client = this.#client;
    client.off('onMessageReceived', this.#onMessages);
    client.off('onMessageModified', this.#onMessages);
    client.off('onMessageRevoked', this.#onMessages);
    client.off('onMessageStatus', this.#onStatus);
    client.off('onTyping', this.#onTyping);
  }

  async older(): Promise<void> {
    if (this.#picture.loading || this.#picture.complete) return;
    this.#set({ loading: true });
    const answer = await this.#client
      .getMessageList({ conversationID: this.conversationID, nextReqMessageID: this.#next })
      .catch(() => null);
    if (!answer) return this.#set({ loading: false });
    this.#take(answer.data.messageList);
    this.#next = answer.data.nextReqMessageID;
    this.#set({ loading: false, complete: answer.data.isCompleted });
  }

  /** What was shown is read. */
  async seen(): Promise<void> {
    const readSeq = Math.max(0, ...[...this.#messages.values()].map(({ sequence }) => sequence));
    const conversation = (await this.#client.getConversationProfile(this.conversationID).catch(() => null))?.data.conversation;
    if (conversation && conversation.readSeq < readSeq)
      await this.#client.readUpTo({ conversationID: this.conversationID, readSeq }).catch(() => {});
  }

  text(text: string): Promise<void> {
    return this.#send(this.#client.createTextMessage({ to: this.groupID, conversationType: 'GROUP', payload: { text } }));
  }
  custom(payload: CustomPayload): Promise<void> {
    return this.#send(this.#client.createCustomMessage({ to: this.groupID, conversationType: 'GROUP', payload }));
  }
  file(file: File): Promise<void> {
    const o = {
      to: this.groupID,
      conversationType: 'GROUP' as const,
      file: { name: file.name, size: file.size, type: file.type, content: file },
      onProgress: () => this.#set({}),
    };
    const message = file.type.startsWith('image/')
      ? this.#client.createImageMessage(o)
      : file.type.startsWith('video/')
        ? this.#client.createVideoMessage(o)
        : this.#client.createFileMessage(o);
    return this.#send(message);
  }
  voice(file: File, second: number): Promise<void> {
    return this.#send(
      this.#client.createAudioMessage({
        to: this.groupID,
        conversationType: 'GROUP',
        file: { name: file.name, size: file.size, type: file.type, content: file },
        second,
      }),
    );
  }
  again(message: ImMessage): Promise<void> {
    return this.#send(message, true);
  }
  async discard(message: ImMessage): Promise<void> {
    this.#messages.delete(message.clientMsgId);
    await this.#client.discard(message);
    this.#set({});
  }
  async recall(message: ImMessage): Promise<void> {
    await this.#client
      .revokeMessage(message)
      .catch((error: unknown) => this.#set({ fault: error instanceof Error ? error.message : '撤回失败，请重试' }));
    this.#set({});
  }
  type(): void {
    this.#client.sendTyping({ conversationID: this.conversationID, typing: true });
  }
  readonly dismiss = (): void => this.#set({ fault: null });

  async #open(): Promise<void> {
    const answer = await this.#client.getMessageList({ conversationID: this.conversationID }).catch(() => null);
    if (this.#stopped) return;
    this.#take([...(answer?.data.messageList ?? []), ...this.#client.undelivered(this.conversationID)]);
    this.#next = answer?.data.nextReqMessageID ?? '';
    this.#set({ loading: false, complete: answer?.data.isCompleted ?? false });
    await this.seen();
  }

  async #send(message: ImMessage, again = false): Promise<void> {
    this.#take([message]);
    this.#set({ fault: null });
    try {
      await (again ? this.#client.resendMessage(message) : this.#client.sendMessage(message));
    } catch (error) {
      // Without a connection it stays in the outbox; what the service refuses is said.
      if (error instanceof ImError && error.code < 2800) this.#set({ fault: error.message });
      else if (error instanceof ImError && (error.code >= 10_000 || error.code === 2996)) this.#set({ fault: error.message });
    }
    this.#set({});
  }

  #take(messages: readonly ImMessage[]): void {
    for (const message of messages) if (message.conversationID === this.conversationID) this.#messages.set(message.clientMsgId, message);
    if (this.#messages.size <= MOST) return;
    const kept = inOrder(this.#messages.values()).slice(-MOST);
    this.#messages.clear();
    for (const message of kept) this.#messages.set(message.clientMsgId, message);
    this.#next = kept[0]?.ID ?? '';
    this.#set({ complete: false });
  }

  readonly #onMessages = ({ data }: { data: ImEvents['onMessageReceived'] }): void => {
    if (!data.some(({ conversationID }) => conversationID === this.conversationID)) return;
    this.#take(data);
    this.#set({ typing: false });
  };
  readonly #onStatus = ({ data }: { data: ImMessage }): void => {
    if (data.conversationID === this.conversationID && this.#messages.has(data.clientMsgId)) this.#set({});
  };
  readonly #onTyping = ({ data }: { data: ImEvents['onTyping'] }): void => {
    if (data.conversationID !== this.conversationID || data.userID === this.#client.userID) return;
    if (this.#typing) clearTimeout(this.#typing);
    this.#typing = data.typing ? setTimeout(() => this.#set({ typing: false }), TYPING_MS) : null;
    this.#set({ typing: data.typing });
  };

  #set(change: Partial<ChatPicture>): void {
    if (this.#stopped) return;
    this.#picture = { ...this.#picture, ...change, messages: inOrder(this.#messages.values()) };
    for (const listen of this.#listeners) listen();
  }
}
export const isTip = ({ type }: Pick<ImMessage, 'type'>): boolean => type === messageTypes.TIP;
