import { createStore } from 'zustand/vanilla';
import { failureText } from '#kernel/web/http/refusal.ts';
import { webConfig } from '#kernel/web/config.ts';
import { send } from '#kernel/web/http/client.ts';
import { tabs, useTabs } from '#kernel/web/tabs/store.ts';
import { titleBadge } from '../../../contract/im/limits.ts';
import { digestOf } from '../../../contract/im/cards.ts';
import type { ConversationID, ImConversation, ImMessage } from '../../../contract/im/types.ts';
import { queryImRuntime } from '../../../contract/calls/runtime.ts';
import { held } from './holder.ts';
import { OpenChat } from './chat/chat.ts';
import { type Chooser, makeChooser, type Mode } from './choose.ts';
import type { DeskClient } from './facts.ts';
import { movesInquiry, noDesk, type DeskState, type DeskStore } from './state.ts';
import { GroupFacts } from './groups.ts';
import { groupIdOf, nameOfConversation } from './listing.ts';
import { ring, ringDefaults, type RingPreference } from './ring.ts';

/** The service tells when the queue changes; asked anyway, for what a lost connection swallowed and for limits that pass by themselves. */
const QUEUE_MS = 60_000;
/** The vendor's service tells nothing of our queue. */
const UNTOLD_QUEUE_MS = 15_000;
/** A burst of messages asks for the inquiry once. */
const FOLLOW_MS = 300;
/** The panel's calls bring other domains' contracts along, so they come with the first panel. */
const loadPorts = async () => (await import('./panelPorts.ts')).panelPorts;

/**
 * The assistant's desk of this tab: the chat client, the list and the open conversation. It lives as long as the page's tab is
 * open, also while another page is shown, so that messages ring and the title counts.
 */
export class Desk {
  readonly store: DeskStore = createStore<DeskState>(() => noDesk);
  readonly facts = new GroupFacts(this.store);
  readonly chat: OpenChat;
  readonly #makeClient: (runtime: NonNullable<DeskState['runtime']>) => Promise<DeskClient>;
  #client: DeskClient | null = null;
  #chooser: Chooser | null = null;
  #polling: ReturnType<typeof setInterval> | null = null;
  #following: ReturnType<typeof setTimeout> | null = null;
  #closed = false;
  ringing: RingPreference = ringDefaults;
  /** Opens a conversation from a notice; set by the page. */
  onNotice: (conversationID: ConversationID) => void = () => {};
  /** Texts of messages that one recalled here, to write them anew. */
  readonly recalled = new Map<string, string>();
  /** Puts a text into the composer, or only the focus; set by the composer. */
  onCompose: (text: string | null) => void = () => {};
  /** Puts the caret into the composer at once, so that the key being pressed writes there; set by the composer. */
  focusComposer: () => void = () => {};
  /** Puts the reply for emergencies into the composer; set by the composer. */
  onEmergencyReply: () => void = () => {};
  /** Whoever made the desk forgets it. */
  onClose: () => void = () => {};

  constructor(makeClient: (runtime: NonNullable<DeskState['runtime']>) => Promise<DeskClient>) {
    this.#makeClient = makeClient;
    this.chat = new OpenChat(this.store, () => this.client);
  }

  get client(): DeskClient {
    if (!this.#client) throw new Error('The desk is not open');
    return this.#client;
  }
  /** Participants' pages may be opened in their name. */
  readonly isDemo = webConfig().mode !== 'production';
  get me(): string {
    return this.#client?.userID ?? '';
  }

  /** Signs in; what the service refuses is shown in place of the page. */
  async open(): Promise<void> {
    this.store.setState({ phase: 'opening', fault: null });
    try {
      const runtime = await send(queryImRuntime, {}, { quiet: true });
      const client = await this.#makeClient(runtime);
      if (this.#closed) return void client.destroy();
      this.#client = client;
      this.#listen(client);
      this.store.setState({ runtime });
      this.#chooser = makeChooser({
        client,
        view: this.chat.view(),
        panel: {
          doctor: async (id) => (await loadPorts()).doctor(id),
          inquiry: async (id) => (await loadPorts()).inquiry(id),
          inquiryId: async (id) => (await loadPorts()).inquiryId(id),
          preview: async (id) => (await loadPorts()).preview(id),
        },
        after(ms, act) {
          const timer = setTimeout(act, ms);
          return () => clearTimeout(timer);
        },
      });
      await client.signIn();
      await this.#reload();
      this.store.setState({ phase: 'ready', net: 'connected' });
      this.#polling = setInterval(() => void this.facts.queue(), client.capabilities.liveWatch ? QUEUE_MS : UNTOLD_QUEUE_MS);
      void this.facts.queue();
    } catch (error) {
      if (!this.#closed) this.store.setState({ phase: 'refused', fault: failureText(error) });
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onClose();
    if (this.#polling) clearInterval(this.#polling);
    if (this.#following) clearTimeout(this.#following);
    this.facts.stop();
    this.chat.stop();
    this.#chooser?.leave();
    void this.#client?.destroy();
    this.store.setState(noDesk, true);
  }

  unsent(): number {
    return this.#client?.undelivered?.().length ?? 0;
  }

  /** The session ends: the chat is left and what the browser kept of it is emptied. */
  async leave(): Promise<void> {
    await this.#client?.logout().catch(() => {});
  }

  choose(conversationID: ConversationID, mode: Mode): void {
    const { chat } = this.store.getState();
    if (chat?.chosen.conversationID === conversationID && chat.chosen.mode === mode && chat.error === null) return;
    const groupId = groupIdOf(conversationID);
    if (groupId) this.facts.want([groupId]);
    void this.#chooser?.choose(conversationID, mode);
  }
  retry: Chooser['retry'] = (section) => this.#chooser?.retry(section) ?? Promise.resolve();

  /** Something was done to a group: its row, its inquiry and the counts are asked for anew. */
  changed(groupId: string): void {
    this.facts.want([groupId]);
    void this.facts.queue();
    const { chat } = this.store.getState();
    if (chat && groupIdOf(chat.chosen.conversationID) === groupId) {
      void this.retry('inquiry');
      void this.chat.readNotes();
    }
  }
  /** A group with its version as this desk knows it now: its row may have been read anew since the dialog opened. */
  moveOf({ groupId, version }: { groupId: string; version: number }): { groupId: string; version: number } {
    return { groupId, version: Math.max(version, this.store.getState().groups.get(groupId)?.version ?? 0) };
  }
  setDuty(duty: NonNullable<DeskState['runtime']>['assistant']['duty']): void {
    const { runtime } = this.store.getState();
    if (runtime) this.store.setState({ runtime: { ...runtime, assistant: { ...runtime.assistant, duty } } });
  }

  async #reload(): Promise<void> {
    const { data } = await this.client.getConversationList();
    this.store.setState({
      conversations: new Map(data.conversationList.map((one) => [one.conversationID, one])),
      totalUnread: this.client.getTotalUnreadMessageCount(),
    });
    this.facts.want(data.conversationList.map(({ conversationID }) => conversationID));
  }

  #listen(client: DeskClient): void {
    const { store } = this;
    client.on('onConversationListUpdated', ({ data }) => this.#onConversations(data));
    client.on('onConversationRemoved', ({ data }) => {
      const conversations = new Map(store.getState().conversations);
      conversations.delete(data.conversationID);
      store.setState({ conversations });
      this.facts.want([data.conversationID]);
    });
    client.on('onTotalUnreadMessageCountUpdated', ({ data }) => store.setState({ totalUnread: data }));
    client.on('netStateChange', ({ data }) => this.#onNet(data.state));
    client.on('kickedOut', ({ data }) => store.setState({ kicked: data.type }));
    client.on('onUserStatusUpdated', ({ data }) => {
      const online = new Set(store.getState().online);
      for (const { userID, statusType } of data) {
        if (statusType === 'ONLINE') online.add(userID);
        else online.delete(userID);
      }
      store.setState({ online });
    });
    client.on('onQueue', ({ data }) => this.facts.told(data));
    client.on('onGroupMembersChanged', ({ data }) => this.facts.want([data.conversationID]));
    client.on('onMessageReceived', ({ data }) => (this.#follow(data), this.#onReceived(data)));
    client.on('onWatchedMessage', ({ data }) => this.#follow([data]));
    this.chat.listen(client);
  }

  #onConversations(changed: readonly ImConversation[]): void {
    const conversations = new Map(this.store.getState().conversations);
    for (const one of changed) conversations.set(one.conversationID, one);
    this.store.setState({ conversations });
    this.facts.want(changed.map(({ conversationID }) => conversationID));
  }

  #onNet(net: DeskState['net']): void {
    const before = this.store.getState();
    this.store.setState({ net });
    if (net !== 'connected' || before.net === 'connected' || before.phase !== 'ready') return;
    void this.#reload();
    void this.facts.queue();
    void this.chat.caughtUp();
  }

  /** What others do to the inquiry shows in its bar without a new choice. */
  #follow(messages: readonly ImMessage[]): void {
    if (!movesInquiry(this.store.getState().chat, messages)) return;
    this.#following ??= setTimeout(() => {
      this.#following = null;
      const { chat } = this.store.getState();
      if (chat?.sections.inquiry) void this.retry('inquiry');
    }, FOLLOW_MS);
  }

  /** One tab of the browser rings, for what one is not looking at. */
  #onReceived(messages: readonly ImMessage[]): void {
    if (this.client.isLeader === false) return;
    const { conversations, chat, groups } = this.store.getState();
    for (const message of messages) {
      const conversation = conversations.get(message.conversationID);
      if (!conversation || message.flow === 'out' || !message.countsUnread || conversation.remindType !== 'AcceptAndNotify') continue;
      const looksAt =
        chat?.chosen.conversationID === message.conversationID && document.visibilityState === 'visible' && document.hasFocus();
      const urgent = groups.get(groupIdOf(message.conversationID) ?? '')?.crisis ?? false;
      if (looksAt && !urgent) continue;
      ring(this.ringing, {
        title: nameOfConversation(conversation),
        body: digestOf(message),
        tag: message.conversationID,
        urgent,
        onClick: () => this.onNotice(message.conversationID),
      });
    }
  }

  /** Supervisors and owners hear an emergency, members of the pool a new patient in the queue. */
  ringFor(notice: { title: string; body: string; tag: string; urgent?: boolean }): void {
    if (this.#client && this.client.isLeader !== false) ring(this.ringing, notice);
  }
}

const PATH = '/assistantIM';
const TITLE = '医助工作台';
let desk: Desk | null = null;
let owner = '';

/** The desk of this browser tab: made with the page, ended when the page's tab is closed or somebody else signs in. */
export function ownDesk(userId: string): Desk {
  if (desk && owner === userId) return desk;
  desk?.close();
  const made = new Desk(async (runtime) => (await import('./openClient.ts')).openClient(runtime));
  desk = made;
  owner = userId;
  const title = made.store.subscribe(({ totalUnread }, before) => {
    // Also while another page is shown; the shell gives the window the title of the page that is shown.
    if (totalUnread !== before.totalUnread) tabs.patch(PATH, { title: `${titleBadge(totalUnread)}${TITLE}` });
  });
  const leaving = useTabs.subscribe(({ tabs: open }) => {
    if (!open.some(({ key }) => key === PATH)) made.close();
  });
  held.desk = {
    unsent: () => made.unsent(),
    leave: () => made.leave(),
    close: () => made.close(),
  };
  made.onClose = () => {
    title();
    leaving();
    if (desk === made) desk = null;
    if (held.desk && desk === null) held.desk = null;
  };
  void made.open();
  return made;
}
