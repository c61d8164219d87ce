import { ImError, imError } from '../../../contract/im/codes.ts';
import type { Answers, Ready, RequestName, RequestOf } from '../../../contract/im/wire.ts';
import { uuid7 } from '../uuid.ts';
import type { Link, LinkEvent, LinkListener } from './socketLink.ts';

/** Which conversations the tabs of one browser watch over the one connection that they share. */
export class WatchWishes {
  readonly #byConversation = new Map<string, Set<string>>();

  /** @returns whether the service must be told: it hears of an end only when no other tab watches. */
  wants(tab: string, { conversationID, on }: { conversationID: string; on: boolean }): boolean {
    const tabs = this.#byConversation.get(conversationID) ?? new Set();
    if (on) tabs.add(tab);
    else tabs.delete(tab);
    if (tabs.size > 0) this.#byConversation.set(conversationID, tabs);
    else this.#byConversation.delete(conversationID);
    return on || tabs.size === 0;
  }

  /** A tab is gone. @returns the conversations that nobody watches any more. */
  leave(tab: string): string[] {
    return [...this.#byConversation.keys()].filter(
      (conversationID) => this.#byConversation.get(conversationID)?.has(tab) && this.wants(tab, { conversationID, on: false }),
    );
  }
}

/** The service takes as many for one connection. */
const MOST = 100;

/** Whose coming and going the tabs of one browser want to hear of, for the one connection that they share. */
class StatusWishes {
  readonly #byTab = new Map<string, readonly string[]>();

  /** Replaces what a tab wants; nothing for none. */
  set(tab: string, ids: readonly string[]): void {
    this.#byTab.delete(tab);
    if (ids.length > 0) this.#byTab.set(tab, ids);
  }

  /** Everybody that some tab wants; where that is too many, the latest wishes come first. */
  all(): string[] {
    return [...new Set([...this.#byTab.values()].toReversed().flat())].slice(0, MOST);
  }
}

/** What the browser gives tabs to agree by; tests and bots bring their own, or none. */
export interface TabTools {
  /** Holds the lock until the returned promise ends; the next in the queue gets it then, also when this tab dies. */
  lead(name: string, whileLeading: () => Promise<void>, signal: AbortSignal): Promise<void>;
  channel(name: string): TabChannel;
}
export interface TabChannel {
  post(message: unknown): void;
  onMessage(hear: (message: unknown) => void): void;
  close(): void;
}

export const browserTabs = (): TabTools | null =>
  typeof navigator === 'undefined' || !('locks' in navigator) || typeof BroadcastChannel === 'undefined'
    ? null
    : {
        lead: (name, whileLeading, signal) => navigator.locks.request(name, { signal }, whileLeading).catch(() => {}) as Promise<void>,
        channel(name) {
          const channel = new BroadcastChannel(name);
          return {
            post: (message) => channel.postMessage(message),
            onMessage: (hear) => void (channel.onmessage = ({ data }) => hear(data)),
            close: () => channel.close(),
          };
        },
      };

type Letter =
  | { kind: 'event'; event: LinkEvent }
  | { kind: 'ask'; tab: string; id: string; name: RequestName; data: unknown }
  | { kind: 'answer'; id: string; data?: unknown; fault?: { code: number; message: string; data?: unknown } }
  | { kind: 'typing'; data: unknown }
  | { kind: 'hello' }
  | { kind: 'left'; tab: string }
  | { kind: 'led'; ready: Ready | null }
  | { kind: 'note'; note: unknown };

interface Asked {
  name: RequestName;
  data: unknown;
  resolve(data: unknown): void;
  reject(error: Error): void;
}

/**
 * One connection for all tabs of a browser: the tab that holds the lock owns it, the others ask through it and hear what it hears.
 * When the leading tab closes, the next takes the lock and connects; questions on the way are asked again.
 */
export class TabLink implements Link {
  readonly #tools: TabTools | null;
  readonly #open: (listen: LinkListener) => Link;
  readonly #listen: LinkListener;
  readonly #onLead: () => void;
  readonly #onNote: (note: unknown) => void;
  readonly #channel: TabChannel | null;
  readonly #asked = new Map<string, Asked>();
  readonly #tab = uuid7();
  readonly #wishes = new StatusWishes();
  readonly #watching = new WatchWishes();
  readonly #leaving = new AbortController();
  #own: Link | null = null;
  #ready: Ready | null = null;
  #release: (() => void) | null = null;
  #closed = false;

  constructor(
    name: string,
    tools: TabTools | null,
    parts: { open(listen: LinkListener): Link; listen: LinkListener; onLead(): void; onNote(note: unknown): void },
  ) {
    this.#tools = tools;
    this.#open = parts.open;
    this.#listen = parts.listen;
    this.#onLead = parts.onLead;
    this.#onNote = parts.onNote;
    this.#channel = tools?.channel(name) ?? null;
    this.#channel?.onMessage((message) => this.#hear(message as Letter));
    if (!tools) {
      queueMicrotask(() => this.#lead());
      return;
    }
    void tools.lead(
      name,
      () =>
        this.#closed
          ? Promise.resolve()
          : new Promise<void>((release) => {
              this.#release = release;
              this.#lead();
            }),
      this.#leaving.signal,
    );
    this.#post({ kind: 'hello' });
  }

  get isLeader(): boolean {
    return this.#own !== null;
  }

  get isOpen(): boolean {
    return this.#own ? this.#own.isOpen : this.#ready !== null;
  }

  request<N extends RequestName>(name: N, data: unknown, timeoutMs?: number): Promise<Answers[N]> {
    if (this.#own) return this.#ask(this.#own, this.#tab, name, data, timeoutMs);
    if (!this.#tools || !this.#ready) return Promise.reject(imError('OFFLINE'));
    const id = uuid7();
    return new Promise<Answers[N]>((resolve, reject) => {
      this.#asked.set(id, { name, data, resolve: (answer) => resolve(answer as Answers[N]), reject });
      this.#post({ kind: 'ask', tab: this.#tab, id, name, data });
    });
  }

  typing(data: unknown): void {
    if (this.#own) this.#own.typing(data);
    else this.#post({ kind: 'typing', data });
  }

  /** Tells the other tabs something of the core's own. */
  note(note: unknown): void {
    this.#post({ kind: 'note', note });
  }

  close(): void {
    this.#post({ kind: 'left', tab: this.#tab });
    this.#closed = true;
    this.#own?.close();
    this.#own = null;
    this.#ready = null;
    for (const { reject } of this.#asked.values()) reject(imError('BROKEN'));
    this.#asked.clear();
    this.#leaving.abort();
    this.#release?.();
    this.#channel?.close();
  }

  #post(letter: Letter): void {
    if (!this.#closed) this.#channel?.post(letter);
  }

  #lead(): void {
    if (this.#closed) return;
    this.#ready = null;
    this.#own = this.#open((event) => {
      if (event.type === 'ready') this.#ready = event.ready;
      if (event.type === 'state' || event.type === 'kicked') this.#ready = null;
      if (event.type === 'ready') for (const [id, { name, data }] of this.#asked) this.#again(id, name, data);
      this.#post({ kind: 'event', event });
      this.#listen(event);
    });
    this.#onLead();
  }

  #again(id: string, name: RequestName, data: unknown): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (this.#own)
      this.#ask(this.#own, this.#tab, name, data).then(
        (answer) => asked?.resolve(answer),
        (error: Error) => asked?.reject(error),
      );
  }

  /** Asks on the connection of all tabs. The service knows one set of subscriptions for it: what the tabs want is united here. */
  async #ask<N extends RequestName>(own: Link, tab: string, name: N, data: unknown, timeoutMs?: number): Promise<Answers[N]> {
    if (name === 'watch' && !this.#watching.wants(tab, data as RequestOf<'watch'>)) return { lastSeq: 0 } as Answers[N];
    if (name !== 'status') return own.request(name, data, timeoutMs);
    const { ids, subscribe } = data as RequestOf<'status'>;
    if (!subscribe && ids.length > 0) return own.request(name, data, timeoutMs);
    this.#wishes.set(tab, ids);
    const all = this.#wishes.all();
    const { list } = await own.request('status', { ids: all, subscribe: all.length > 0 }, timeoutMs);
    return { list: list.filter(({ userID }) => ids.includes(userID)) } as Answers[N];
  }

  #hear(letter: Letter): void {
    if (this.#closed) return;
    if (letter.kind === 'note') return this.#onNote(letter.note);
    if (this.#own) return this.#serve(letter);
    if (letter.kind === 'event') return this.#follow(letter.event);
    if (letter.kind === 'led' && letter.ready && !this.#ready) this.#follow({ type: 'ready', ready: letter.ready });
    if (letter.kind !== 'answer') return;
    const asked = this.#asked.get(letter.id);
    this.#asked.delete(letter.id);
    if (letter.fault) asked?.reject(new ImError(letter.fault.code, letter.fault.message, letter.fault.data));
    else asked?.resolve(letter.data);
  }

  #follow(event: LinkEvent): void {
    if (event.type === 'ready') {
      this.#ready = event.ready;
      // A new leader was not there when these were asked.
      for (const [id, { name, data }] of this.#asked) this.#post({ kind: 'ask', tab: this.#tab, id, name, data });
    }
    if (event.type === 'state' || event.type === 'kicked') this.#ready = null;
    this.#listen(event);
  }

  /** A tab closed: what nobody else watches is watched no more. */
  #gone(tab: string): void {
    this.#wishes.set(tab, []);
    for (const conversationID of this.#watching.leave(tab)) this.#own?.request('watch', { conversationID, on: false }).catch(() => {});
  }

  #serve(letter: Letter): void {
    if (letter.kind === 'hello') this.#post({ kind: 'led', ready: this.#ready });
    else if (letter.kind === 'left') this.#gone(letter.tab);
    else if (letter.kind === 'typing') this.#own?.typing(letter.data);
    else if (letter.kind === 'ask' && this.#own) {
      const { id } = letter;
      this.#ask(this.#own, letter.tab, letter.name, letter.data).then(
        (data) => this.#post({ kind: 'answer', id, data }),
        (error: unknown) =>
          this.#post({
            kind: 'answer',
            id,
            fault:
              error instanceof ImError
                ? { code: error.code, message: error.message, data: error.data }
                : { code: 2801, message: String(error) },
          }),
      );
    }
  }
}
