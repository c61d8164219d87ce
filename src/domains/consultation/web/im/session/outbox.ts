import { ImError, imCodes, imError } from '../../../contract/im/codes.ts';
import type { Answers } from '../../../contract/im/wire.ts';
import type { Keeper, OutboxEntry } from '../kept/keeper.ts';

/** How long one tries: with a connection, and without. */
const TRY_MS = 30_000;
const OFFLINE_MS = 120_000;
const PAUSE_MS = 1_000;

export interface OutboxParts {
  keeper: Keeper;
  isOpen(): boolean;
  send(entry: OutboxEntry): Promise<Answers['send']>;
  sent(entry: OutboxEntry, answer: Answers['send']): void;
  failed(entry: OutboxEntry, fault: { code: number; message: string }): void;
  now(): number;
}

const NETWORK: readonly number[] = [imCodes.OFFLINE[0], imCodes.NO_ANSWER[0], imCodes.BROKEN[0], imCodes.NOT_READY[0]];
/** Not the message's fault: the same may be sent again. */
const mayTryAgain = (error: ImError) => NETWORK.includes(error.code) || (error.data as { again?: boolean } | undefined)?.again === true;

/**
 * Sends what was written, strictly in order within a conversation and one at a time, until the service has it. Only the leading tab
 * runs it; what waits lies in the browser's database, so a takeover or a reload goes on where it stopped.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #running = new Set<string>();
  /** Since when a message is tried on a living connection. */
  readonly #since = new Map<string, number>();
  #entries: OutboxEntry[] = [];
  #watch: ReturnType<typeof setInterval> | null = null;
  #stopped = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Takes up what lies in the database. */
  async start(): Promise<void> {
    await this.refresh();
    this.#watch = setInterval(() => this.#giveUpOld(), PAUSE_MS);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#watch) clearInterval(this.#watch);
  }

  /** Something was written or let go by any tab. */
  async refresh(): Promise<void> {
    const kept = await this.#parts.keeper.outbox();
    if (this.#stopped) return;
    this.#entries = kept;
    this.run();
  }

  /** Starts what can be sent: one of each conversation. */
  run(): void {
    if (this.#stopped || !this.#parts.isOpen()) return;
    for (const { conversationID } of this.#entries) if (!this.#running.has(conversationID)) void this.#conversation(conversationID);
  }

  async #conversation(conversationID: string): Promise<void> {
    this.#running.add(conversationID);
    try {
      for (;;) {
        const entry = this.#entries.find((one) => one.conversationID === conversationID && one.state === 'waiting');
        if (!entry || this.#stopped || !this.#parts.isOpen()) return;
        if (!(await this.#attempt(entry))) return;
      }
    } finally {
      this.#running.delete(conversationID);
    }
  }

  /** @returns whether the next of the conversation may follow. */
  async #attempt(entry: OutboxEntry): Promise<boolean> {
    const began = this.#since.get(entry.clientMsgId) ?? this.#parts.now();
    this.#since.set(entry.clientMsgId, began);
    try {
      const answer = await this.#parts.send(entry);
      await this.#forget(entry);
      this.#parts.sent(entry, answer);
      return true;
    } catch (error) {
      const fault = error instanceof ImError ? error : imError('BROKEN');
      if (this.#stopped) return false;
      if (!mayTryAgain(fault) || (this.#parts.isOpen() && this.#parts.now() - began >= TRY_MS)) {
        await this.#fail(entry, fault);
        return true;
      }
      if (!this.#parts.isOpen()) {
        this.#since.delete(entry.clientMsgId);
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return true;
    }
  }

  #giveUpOld(): void {
    if (this.#parts.isOpen()) return this.run();
    const oldest = this.#parts.now() - OFFLINE_MS;
    for (const entry of this.#entries)
      if (entry.state === 'waiting' && entry.writtenAt <= oldest && !this.#running.has(entry.conversationID))
        void this.#fail(entry, imError('OFFLINE'));
  }

  async #forget(entry: OutboxEntry): Promise<void> {
    this.#entries = this.#entries.filter(({ clientMsgId }) => clientMsgId !== entry.clientMsgId);
    this.#since.delete(entry.clientMsgId);
    await this.#parts.keeper.dropOutbox(entry.clientMsgId);
  }

  async #fail(entry: OutboxEntry, { code, message }: { code: number; message: string }): Promise<void> {
    const failed: OutboxEntry = { ...entry, state: 'failed', fault: { code, message } };
    this.#entries = this.#entries.map((one) => (one.clientMsgId === entry.clientMsgId ? failed : one));
    this.#since.delete(entry.clientMsgId);
    await this.#parts.keeper.putOutbox(failed);
    this.#parts.failed(failed, { code, message });
  }
}
