import { send } from '#kernel/web/http/client.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { addGroupNote, queryGroupNotes } from '../../../../contract/calls/notes.ts';
import { ImError, imCodes } from '../../../../contract/im/codes.ts';
import { PAGE } from '../../../../contract/im/limits.ts';
import type { ConversationID, CustomPayload, ImMessage } from '../../../../contract/im/types.ts';
import type { ChooseView, Mode } from '../choose.ts';
import type { DeskStore } from '../state.ts';
import type { DeskClient, StoredFile } from '../facts.ts';
import { groupIdOf } from '../listing.ts';
import { freshChat, type ChatPicture } from '../state.ts';
import { ReadMarks } from './readMarks.ts';
import { keyOf, merged } from './timeline.ts';
import { Writing, type FileKind } from './writing.ts';
import { afterAppend, afterPrepend, around, atEnd, shiftDown, shiftUp } from './timeline.ts';

export const NO_MORE_HISTORY = '没有更多历史消息了';
/** How far a message may be from its writer before it lies out of the ones shown around a jump. */
const JUMP_AFTER = 7;
const TYPING_MS = 6_000;

/** The open conversation: its messages as far as they are loaded, and what one does with them. */
export class OpenChat {
  /** The choice in which the beginning has been told since it was last left. */
  #toldTop: number | null = null;
  readonly #store: DeskStore;
  readonly #client: () => DeskClient;
  readonly #marks: ReadMarks;
  readonly #writing: Writing;
  readonly #typists = new Map<string, ReturnType<typeof setTimeout>>();
  #jumps = 0;
  #onEnd: (() => void) | null = null;

  constructor(store: DeskStore, client: () => DeskClient) {
    this.#store = store;
    this.#client = client;
    this.#marks = new ReadMarks((conversationID, readSeq) => {
      const at = this.#client();
      const done = at.readUpTo ? at.readUpTo({ conversationID, readSeq }) : at.setMessageRead({ conversationID });
      done.catch(() => {});
    });
    this.#writing = new Writing({
      client,
      chat: () => this.#chat,
      show: async (message) => {
        this.#set(() => ({ quote: null, unseen: [], below: 0 }));
        if (this.#chat?.detached) await this.toEnd();
        this.#join([message], true);
        this.#onEnd?.();
      },
      replace: (message) => this.#replace([message]),
    });
  }

  get #chat(): ChatPicture | null {
    return this.#store.getState().chat;
  }
  /** Changes the open conversation, as long as it is still this one. */
  #set(change: (chat: ChatPicture) => Partial<ChatPicture>, id?: string): void {
    const chat = this.#chat;
    if (chat && (id === undefined || chat.chosen.conversationID === id)) this.#store.setState({ chat: { ...chat, ...change(chat) } });
  }

  view(): ChooseView {
    return {
      begin: (chosen) =>
        this.#begin(chosen.conversationID, chosen.mode, () =>
          this.#store.setState({ chat: freshChat(chosen, this.#store.getState().conversations.get(chosen.conversationID) ?? null) }),
        ),
      profile: (conversation) => conversation && this.#set(() => ({ conversation })),
      emptied: () => this.#set(() => ({ messages: [], members: [], range: { from: 0, to: 0 } })),
      messages: ({ messageList, nextReqMessageID, isCompleted }) => {
        const id = this.#chat?.chosen.conversationID;
        const messages = merged(messageList, id ? (this.#client().undelivered?.(id) ?? []) : []);
        this.#set(() => ({ messages, range: atEnd(messages.length), older: nextReqMessageID, isCompleted, loading: false }));
        void this.readNotes();
      },
      members: ({ memberList, offset }) => {
        this.#set(() => ({
          members: memberList,
          memberOffset: offset,
          readBy: new Map(memberList.map(({ userID, readSeq }) => [userID, readSeq])),
        }));
        this.#client()
          .subscribeUserStatus({ userIDList: memberList.map(({ userID }) => userID) })
          .catch(() => {});
      },
      // A single chat begins with its first message: until then there is nothing to read.
      failed: (part, error) =>
        part === 'messages' &&
        this.#set(({ chosen }) => ({
          loading: false,
          error: chosen.conversationID.startsWith('C2C') && error instanceof ImError && error.code === imCodes.NOT_MEMBER[0] ? null : error,
        })),
      opened: (suffererOperatorId) => this.#set(() => ({ record: { suffererOperatorId } })),
      // What is read anew stays in sight meanwhile.
      waiting: (section) =>
        this.#set(({ sections }) =>
          sections[section]?.state === 'ready' ? {} : { sections: { ...sections, [section]: { state: 'waiting' } } },
        ),
      section: (section, data) => this.#set(({ sections }) => ({ sections: { ...sections, [section]: { state: 'ready', data } } })),
      sectionFailed: (section, error) =>
        this.#set(({ sections }) => ({ sections: { ...sections, [section]: { state: 'failed', error } } })),
    };
  }

  #begin(id: ConversationID, mode: Mode, show: () => void): void {
    const before = this.#chat?.chosen;
    if (before && before.mode !== 'MEMBER')
      void this.#client()
        .watch?.({ conversationID: before.conversationID, on: false })
        .catch(() => {});
    this.#marks.flush();
    show();
    if (mode !== 'MEMBER' && this.#client().capabilities.liveWatch)
      void this.#client()
        .watch?.({ conversationID: id, on: true })
        .catch(() => {});
  }

  listen(client: DeskClient): void {
    client.on('onMessageReceived', ({ data }) => this.#arrived(data));
    client.on('onWatchedMessage', ({ data }) => this.#chat?.chosen.mode !== 'MEMBER' && this.#arrived([data]));
    client.on('onMessageStatus', ({ data }) => this.#replace([data], true));
    client.on('onMessageModified', ({ data }) => this.#replace(data));
    client.on('onMessageRevoked', ({ data }) => this.#replace(data));
    client.on('onMessageReadByPeer', ({ data }) => {
      for (const { conversationID, userID, readSeq } of data)
        this.#set(({ readBy }) => ({ readBy: new Map(readBy).set(userID, Math.max(readSeq, readBy.get(userID) ?? 0)) }), conversationID);
    });
    client.on('onTyping', ({ data }) => this.#typed(data));
    client.on('onGroupMembersChanged', ({ data }) => data.conversationID === this.#chat?.chosen.conversationID && void this.readMembers());
    client.on('onConversationListUpdated', ({ data }) => {
      for (const conversation of data) this.#set(() => ({ conversation }), conversation.conversationID);
    });
  }

  /** Whoever types is shown until he stops, at most six seconds after his last word of it. */
  #typed({ conversationID, userID, typing: on }: { conversationID: ConversationID; userID: string; typing: boolean }): void {
    const known = this.#typists.get(userID);
    if (known) clearTimeout(known);
    const without = (list: readonly string[]) => list.filter((one) => one !== userID);
    this.#set(({ typing }) => ({ typing: [...without(typing), ...(on ? [userID] : [])] }), conversationID);
    if (on)
      this.#typists.set(
        userID,
        setTimeout(() => this.#set(({ typing }) => ({ typing: without(typing) }), conversationID), TYPING_MS),
      );
  }

  #arrived(messages: readonly ImMessage[]): void {
    const chat = this.#chat;
    const own = chat ? messages.filter(({ conversationID }) => conversationID === chat.chosen.conversationID) : [];
    if (!chat || own.length === 0 || chat.loading) return;
    const foreign = own.filter(({ flow, countsUnread }) => flow === 'in' && countsUnread);
    const isSeen = this.#marks.isWatching && this.#store.getState().net === 'connected';
    this.#set(({ below, unseen, typing }) => ({
      below: isSeen ? below : below + foreign.length,
      unseen: isSeen ? unseen : [...unseen, ...foreign.map(({ sequence }) => sequence)],
      typing: typing.filter((one) => !foreign.some(({ from }) => from === one)),
    }));
    if (chat.detached) return;
    this.#join(own, this.#marks.isAtBottom);
  }

  #join(fresh: readonly ImMessage[], follow: boolean): void {
    this.#set(({ messages, range }) => {
      const next = merged(messages, fresh);
      return { messages: next, range: next.length === messages.length ? range : afterAppend(range, messages.length, next.length, follow) };
    });
  }

  /** Puts changed messages in the place of the former ones; a written one that is not there yet joins. */
  #replace(changed: readonly ImMessage[], mayJoin = false): void {
    const chat = this.#chat;
    if (!chat) return;
    const own = changed.filter(({ conversationID }) => conversationID === chat.chosen.conversationID);
    const known = new Set(chat.messages.map(keyOf));
    const kept = own.filter((message) => known.has(keyOf(message)) || (mayJoin && !chat.detached && message.status !== 'success'));
    if (kept.length > 0) this.#join(kept, mayJoin);
  }

  /** The list was scrolled away from its beginning: arriving there again is told again. */
  leftTop(): void {
    this.#toldTop = null;
  }

  /** 15 older ones; says so when there are none, once per arrival at the beginning. */
  async loadOlder(): Promise<void> {
    const chat = this.#chat;
    if (!chat || chat.loading || chat.loadingOlder) return;
    if (chat.range.from > 0) return this.#set(({ range, messages }) => ({ range: shiftUp(range, messages.length) }));
    if (chat.isCompleted) {
      if (this.#toldTop !== chat.chosen.switchNo) toast(NO_MORE_HISTORY, 'info');
      this.#toldTop = chat.chosen.switchNo;
      return;
    }
    this.#set(() => ({ loadingOlder: true }));
    const { conversationID } = chat.chosen;
    const { switchNo } = chat.chosen;
    try {
      const { data } = await this.#client().getMessageList({ conversationID, nextReqMessageID: chat.older });
      if (this.#chat?.chosen.switchNo !== switchNo) return;
      this.#set(({ messages, range }) => {
        const next = merged(messages, data.messageList);
        return {
          messages: next,
          range: afterPrepend(range, next.length - messages.length, next.length),
          older: data.nextReqMessageID,
          isCompleted: data.isCompleted,
        };
      });
    } catch {
      toast('历史消息加载失败，请重试', 'error');
    } finally {
      if (this.#chat?.chosen.switchNo === switchNo) this.#set(() => ({ loadingOlder: false }));
    }
  }

  /** Downwards: what is loaded already, else the next ones of an older part, until the end is reached. */
  async loadNewer(): Promise<void> {
    const chat = this.#chat;
    if (!chat || chat.loadingOlder) return;
    if (chat.range.to < chat.messages.length) return this.#set(({ range, messages }) => ({ range: shiftDown(range, messages.length) }));
    if (!chat.detached) return;
    const { conversationID, switchNo } = chat.chosen;
    const last = chat.messages.findLast(({ sequence }) => sequence > 0)?.sequence ?? 0;
    this.#set(() => ({ loadingOlder: true }));
    try {
      const { data } = await this.#client().getMessageListHopping({ conversationID, sequence: last + 1, direction: 1 });
      if (this.#chat?.chosen.switchNo !== switchNo) return;
      this.#set(({ messages, range }) => {
        const next = merged(messages, data.messageList);
        return {
          messages: next,
          range: afterAppend(range, messages.length, next.length, false),
          detached: !data.isCompleted && data.messageList.length > 0,
        };
      });
    } catch {
      toast('消息加载失败，请重试', 'error');
    } finally {
      if (this.#chat?.chosen.switchNo === switchNo) this.#set(() => ({ loadingOlder: false }));
    }
  }

  /** Brings a message into view, wherever in the conversation it is. */
  async jumpTo(seq: number): Promise<void> {
    const chat = this.#chat;
    if (!chat) return;
    const { conversationID, switchNo } = chat.chosen;
    const index = chat.messages.findIndex(({ sequence }) => sequence === seq);
    const target = { seq, no: ++this.#jumps };
    if (index >= 0)
      return this.#set(({ messages, range }) => ({
        target,
        range: index >= range.from && index < range.to ? range : around(index, messages.length),
      }));
    const { data } = await this.#client().getMessageListHopping({ conversationID, sequence: seq + JUMP_AFTER + 1, direction: 0 });
    if (this.#chat?.chosen.switchNo !== switchNo) return;
    const messages = merged([], data.messageList);
    const last = messages.at(-1)?.sequence ?? 0;
    const detached = last < (this.#chat.conversation?.lastSeq ?? Number.MAX_SAFE_INTEGER);
    this.#set(() => ({
      messages,
      range: atEnd(messages.length),
      older: messages[0]?.ID ?? '',
      isCompleted: data.isCompleted,
      detached,
      target,
    }));
  }

  /** As `jumpTo`, once the newest messages are there. */
  async jumpWhenLoaded(seq: number): Promise<void> {
    const isLoading = () => this.#chat?.loading ?? false;
    if (isLoading()) {
      await new Promise<void>((resolve) => {
        const stop = this.#store.subscribe(() => {
          if (isLoading()) return;
          stop();
          resolve();
        });
      });
    }
    await this.jumpTo(seq);
  }

  /** Back to the newest message. */
  async toEnd(): Promise<void> {
    const chat = this.#chat;
    if (!chat) return;
    if (!chat.detached) return this.#set(({ messages }) => ({ range: atEnd(messages.length), below: 0, unseen: [], target: null }));
    const { conversationID, switchNo } = chat.chosen;
    const { data } = await this.#client().getMessageList({ conversationID });
    if (this.#chat?.chosen.switchNo !== switchNo) return;
    const messages = merged(data.messageList, this.#client().undelivered?.(conversationID) ?? []);
    this.#set(() => ({
      messages,
      range: atEnd(messages.length),
      older: data.nextReqMessageID,
      isCompleted: data.isCompleted,
      detached: false,
      below: 0,
      unseen: [],
      target: null,
    }));
    this.#onEnd?.();
  }
  /** The list of messages says how to reach its end. */
  onEnd(act: (() => void) | null): void {
    this.#onEnd = act;
  }

  /** What the list of messages shows: the last message in view, whether it is the end, whether anybody looks. */
  seen(seq: number, isAtBottom: boolean, isLooking: boolean): void {
    const chat = this.#chat;
    if (!chat) return;
    this.#marks.seen({
      conversationID: chat.chosen.conversationID,
      seq,
      isAtBottom: isAtBottom && !chat.detached,
      isLooking,
      counts: chat.chosen.mode === 'MEMBER',
    });
    if (isAtBottom && isLooking && !chat.detached && chat.below > 0) this.#set(() => ({ below: 0 }));
  }
  /** The unread ones were looked at. */
  looked(): void {
    this.#set(() => ({ unseen: [] }));
  }

  async readNotes(): Promise<void> {
    const chat = this.#chat;
    const groupId = chat && groupIdOf(chat.chosen.conversationID);
    if (!groupId) return;
    // Notes that are there stay where they cannot be read anew.
    const answer = await send(queryGroupNotes, { groupId }, { quiet: true }).then(
      (notes) => ({ notes, noteFault: null }),
      (noteFault: unknown) => ({ noteFault }),
    );
    this.#set(() => answer, chat.chosen.conversationID);
  }
  async readMembers(): Promise<void> {
    const chat = this.#chat;
    const groupID = chat && groupIdOf(chat.chosen.conversationID);
    if (!groupID) return;
    const { data } = await this.#client().getGroupMemberList({ groupID, count: 30 });
    this.#set(() => ({ members: data.memberList, memberOffset: data.offset }), chat.chosen.conversationID);
  }
  async moreMembers(): Promise<void> {
    const chat = this.#chat;
    const groupID = chat && groupIdOf(chat.chosen.conversationID);
    if (!groupID || chat.memberOffset === 0) return;
    const { data } = await this.#client().getGroupMemberList({ groupID, count: PAGE.members, offset: chat.memberOffset });
    this.#set(({ members }) => ({ members: [...members, ...data.memberList], memberOffset: data.offset }), chat.chosen.conversationID);
  }

  /** The connection is back: what was missed is loaded by the client; notes and watched ones are asked for anew. */
  async caughtUp(): Promise<void> {
    const chat = this.#chat;
    if (!chat) return;
    if (chat.chosen.mode !== 'MEMBER')
      await this.#client()
        .watch?.({ conversationID: chat.chosen.conversationID, on: true })
        .catch(() => {});
    await this.readNotes();
  }

  sendText = (text: string, atUserList: string[]): Promise<void> => this.#writing.text(text, atUserList);
  sendCard = (payload: CustomPayload): Promise<void> => this.#writing.card(payload);
  /** A file of this browser, or one that is stored already. */
  sendFile = (kind: FileKind, file: File | StoredFile, second = 0): Promise<void> => this.#writing.file(kind, file, second);
  resend = (message: ImMessage): Promise<void> => this.#writing.resend(message);
  async discard(message: ImMessage): Promise<void> {
    await this.#writing.discard(message);
    this.#set(({ messages, range }) => {
      const next = messages.filter((one) => keyOf(one) !== keyOf(message));
      return { messages: next, range: { from: Math.min(range.from, next.length), to: Math.min(range.to, next.length) } };
    });
  }
  async recall(message: ImMessage): Promise<void> {
    const { data } = await this.#client().revokeMessage(message);
    this.#replace([data.message]);
  }
  /** A supervisor took its content away; who only watches hears of it nowhere else. */
  emptied(message: ImMessage, { revoker, revokeReason }: Pick<ImMessage, 'revoker' | 'revokeReason'>): void {
    this.#replace([{ ...message, isRevoked: true, revoker, revokeReason }]);
  }
  quote(message: ImMessage | null): void {
    this.#set(() => ({ quote: message }));
  }
  async addNote(content: string, mentions: string[]): Promise<boolean> {
    const chat = this.#chat;
    const groupId = chat && groupIdOf(chat.chosen.conversationID);
    if (!groupId) return false;
    const note = await send(addGroupNote, {
      groupId,
      afterSeq: chat.conversation?.lastSeq ?? chat.messages.findLast(({ sequence }) => sequence > 0)?.sequence ?? 0,
      content,
      mentions,
    }).catch(() => null);
    if (!note) return false;
    this.#set(({ notes }) => ({ notes: [...notes, note] }), chat.chosen.conversationID);
    this.#onEnd?.();
    return true;
  }
  typing(typing: boolean): void {
    const chat = this.#chat;
    if (chat?.chosen.mode === 'MEMBER') this.#client().sendTyping({ conversationID: chat.chosen.conversationID, typing });
  }
  keepDraft(conversationID: ConversationID, draftText: string): void {
    this.#client()
      .setConversationDraft({ conversationID, draftText: draftText.slice(0, 2000) })
      .catch(() => {});
  }
  stop(): void {
    this.#marks.stop();
  }
}
