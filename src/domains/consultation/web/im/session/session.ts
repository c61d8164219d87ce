import { PAGE } from '../../../contract/im/limits.ts';
import type { Answers, RequestName, WireConversation, WireEvent } from '../../../contract/im/wire.ts';
import type { Keeper, OutboxEntry } from '../kept/keeper.ts';
import type { LinkEvent } from '../links/socketLink.ts';
import { SocketLink, type SocketFacts } from '../links/socketLink.ts';
import { TabLink, type TabTools } from '../links/tabLink.ts';
import { Follower } from './follower.ts';
import { Outbox } from './outbox.ts';
import { noChange, Picture } from './picture.ts';

/** What one tab tells the others beside the connection's events. */
export type TabNote =
  | { kind: 'outbox' }
  | { kind: 'sent'; entry: OutboxEntry; answer: Answers['send'] }
  | { kind: 'failed'; entry: OutboxEntry; fault: { code: number; message: string } }
  | { kind: 'logout' };

export interface SessionParts {
  facts: Omit<SocketFacts, 'cursor'>;
  keeper: Keeper;
  tabs: TabTools | null;
  /** Events in order; called after the picture has taken them in. */
  onEvents(events: readonly WireEvent[]): void;
  onPicture(changed: ReadonlySet<string>, removed: ReadonlySet<string>): void;
  /** The log was too old: pages' conversations were loaded anew. */
  onReset(): void;
  onLink(event: LinkEvent): void;
  onSynced(): void;
  onNote(note: TabNote): void;
}

const SAVE_MS = 250;

/** One account's chat in one tab: connection, picture of its conversations, outbox. */
export class Session {
  readonly picture: Picture;
  readonly link: TabLink;
  readonly outbox: Outbox;
  readonly #parts: SessionParts;
  #follower: Follower | null = null;
  #dirty = noChange();
  #saving: ReturnType<typeof setTimeout> | null = null;
  /** Conversations asked for; true when something happened to one meanwhile. */
  readonly #asking = new Map<string, boolean>();
  #stopped = false;
  isListComplete = false;
  isSynced = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.picture = new Picture(parts.facts.userID);
    const note = (one: TabNote) => {
      this.link.note(one);
      parts.onNote(one);
    };
    this.outbox = new Outbox({
      keeper: parts.keeper,
      isOpen: () => this.link.isOpen,
      now: () => Date.now(),
      send: (entry) => this.link.request('send', entry.send),
      sent: (entry, answer) => note({ kind: 'sent', entry, answer }),
      failed: (entry, fault) => note({ kind: 'failed', entry, fault }),
    });
    let socket: SocketLink | null = null;
    this.link = new TabLink(`kangqiao.im.${parts.facts.userID}`, parts.tabs, {
      open: (listen) => (socket = new SocketLink({ ...parts.facts, cursor: () => this.#follower?.cursor ?? null }, listen)),
      listen: (event) => this.#onLink(event),
      onLead: () => this.#lead(),
      onNote: (one) => this.#onNote(one as TabNote),
    });
    this.cut = () => socket?.cut();
  }

  /** Cuts the connection as a lost network would; tests ask for it. */
  readonly cut: () => void;

  /** Takes up what the browser kept of the last time. */
  async restore(): Promise<void> {
    const kept = await this.#parts.keeper.load();
    if (kept.cursor === null || this.#follower) return;
    for (const conversation of kept.conversations) this.picture.put(conversation);
    this.isListComplete = true;
    this.#follow(kept.cursor);
  }

  keptOutbox(): Promise<OutboxEntry[]> {
    return this.#parts.keeper.outbox();
  }

  get cursor(): number {
    return this.#follower?.cursor ?? 0;
  }

  request<N extends RequestName>(name: N, data: unknown): Promise<Answers[N]> {
    return this.link.request(name, data);
  }

  /** Resolves when the event of this number has been taken in. */
  reached(n: number): Promise<void> {
    return this.#follower?.reached(n) ?? Promise.resolve();
  }

  /** Puts a message into the outbox; whichever tab leads sends it. */
  async post(entry: OutboxEntry): Promise<void> {
    await this.#parts.keeper.putOutbox(entry);
    await this.#poke();
  }

  async unpost(clientMsgId: string): Promise<void> {
    await this.#parts.keeper.dropOutbox(clientMsgId);
    await this.#poke();
  }

  async #poke(): Promise<void> {
    if (this.link.isLeader) await this.outbox.refresh();
    else this.link.note({ kind: 'outbox' } satisfies TabNote);
  }

  /** One conversation as the service has it now. @throws ImError 10007 where it is not one's own. */
  async fetchConversation(id: string): Promise<WireConversation> {
    const { conversation } = await this.request('conversation', { id });
    if (this.picture.put(conversation)) this.#publish(new Set([id]), new Set());
    return this.picture.conversations.get(id) ?? conversation;
  }

  stop(): void {
    this.#stopped = true;
    this.#follower?.stop();
    this.outbox.stop();
    if (this.#saving) clearTimeout(this.#saving);
    this.link.close();
    this.#parts.keeper.close();
  }

  #follow(cursor: number): Follower {
    this.#follower?.stop();
    this.#follower = new Follower(cursor, {
      sync: (from, limit) => this.request('sync', { cursor: from, limit }),
      apply: (events) => this.#apply(events),
      reload: async () => {
        const next = await this.#loadList();
        this.#parts.onReset();
        return next;
      },
    });
    return this.#follower;
  }

  /** This tab keeps the picture from now on: what the leader before it had not kept yet is kept anew. */
  #lead(): void {
    for (const id of this.picture.conversations.keys()) this.#dirty.changed.add(id);
    void this.outbox.start();
  }

  #onLink(event: LinkEvent): void {
    if (this.#stopped) return;
    if (event.type === 'ev') this.#follower?.hear(event.event);
    if (event.type === 'tick') this.#follower?.tick(event.n);
    if (event.type === 'state') this.isSynced = false;
    this.#parts.onLink(event);
    if (event.type === 'ready') void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    try {
      if (!this.#follower) this.#follow(await this.#loadList());
      await this.#follower!.sync();
      if (this.#stopped || !this.link.isOpen) return;
      this.isSynced = true;
      this.#parts.onSynced();
      if (this.link.isLeader) this.outbox.run();
    } catch {
      // The connection broke meanwhile; the next one catches up.
    }
  }

  /** All conversations, page by page. @returns the number that the first page holds, from which events are taken. */
  async #loadList(): Promise<number> {
    let cursor: string | null = null;
    let from: number | null = null;
    const listed = new Set<string>();
    do {
      const page: Answers['conversations'] = await this.request('conversations', {
        limit: PAGE.conversations,
        ...(cursor ? { cursor } : {}),
      });
      for (const conversation of page.conversations) {
        listed.add(conversation.conversationID);
        this.picture.put(conversation);
        from = Math.min(from ?? conversation.asOf, conversation.asOf);
      }
      cursor = page.nextCursor;
    } while (cursor);
    const gone = [...this.picture.conversations.keys()].filter((id) => !listed.has(id));
    for (const id of gone) this.picture.conversations.delete(id);
    this.isListComplete = true;
    this.#publish(listed, new Set(gone));
    return from ?? (await this.request('sync', { cursor: Number.MAX_SAFE_INTEGER, limit: 1 })).nextCursor;
  }

  #apply(events: readonly WireEvent[]): void {
    const change = noChange();
    for (const event of events) this.picture.apply(event, change);
    this.#publish(change.changed, change.removed);
    for (const id of change.unknown) this.#ask(id);
    this.#parts.onEvents(events);
  }

  /** A conversation that came new, or must be counted anew; asked again while the answer is older than what was heard. */
  #ask(id: string): void {
    if (this.#asking.has(id)) return void this.#asking.set(id, true);
    this.#asking.set(id, false);
    this.request('conversation', { id })
      .then(
        ({ conversation }) => {
          if (this.picture.put(conversation)) this.#publish(new Set([id]), new Set());
          else this.#asking.set(id, true);
        },
        () => {},
      )
      .finally(() => {
        const again = this.#asking.get(id);
        this.#asking.delete(id);
        if (again && !this.#stopped) this.#ask(id);
      });
  }

  #publish(changed: ReadonlySet<string>, removed: ReadonlySet<string>): void {
    for (const id of changed) {
      this.#dirty.changed.add(id);
      this.#dirty.removed.delete(id);
    }
    for (const id of removed) {
      this.#dirty.removed.add(id);
      this.#dirty.changed.delete(id);
    }
    if (changed.size + removed.size > 0) this.#parts.onPicture(changed, removed);
    this.#saving ??= setTimeout(() => void this.#save(), SAVE_MS);
  }

  /** Cursor and picture are kept together, so that they never contradict each other. */
  async #save(): Promise<void> {
    this.#saving = null;
    if (!this.#follower || this.#stopped) return;
    const dirty = this.#dirty;
    this.#dirty = noChange();
    if (!this.link.isLeader) return;
    const changed = [...dirty.changed].flatMap((id) => this.picture.conversations.get(id) ?? []);
    await this.#parts.keeper.savePicture(this.#follower.cursor, changed, [...dirty.removed]).catch(() => {});
  }

  #onNote(note: TabNote): void {
    if (this.#stopped) return;
    if (note.kind === 'outbox') {
      if (this.link.isLeader) void this.outbox.refresh();
      return;
    }
    this.#parts.onNote(note);
  }
}
