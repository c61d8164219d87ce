import type { Kernel } from '#kernel/server/kernel.ts';
import { refusal, type Outcome, type Send } from './sending.ts';
import { storeBatch, StoredBefore, type StoreParts } from './storeBatch.ts';

const BATCH = 200;
const GATHER_MS = 3;

interface Waiting {
  send: Send;
  answer(outcome: Outcome): void;
}

/** Gathers what the sockets of this process send and commits it together: at most 200 messages, or those of a few milliseconds. */
export class SendQueue {
  readonly #kernel: Kernel;
  readonly #parts: StoreParts;
  #waiting: Waiting[] = [];
  #running = false;
  #idle: (() => void)[] = [];

  constructor(kernel: Kernel, parts: StoreParts) {
    this.#kernel = kernel;
    this.#parts = parts;
  }

  /** Answers when the message is committed, or refused. */
  add(send: Send): Promise<Outcome> {
    return new Promise((answer) => {
      this.#waiting.push({ send, answer });
      if (this.#running) return;
      this.#running = true;
      setTimeout(() => void this.#run(), GATHER_MS);
    });
  }

  /** Resolves when nothing waits any more. */
  idle(): Promise<void> {
    return this.#running ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      const outcomes = await this.#store(batch.map(({ send }) => send));
      // The next batch goes to the database first; then everybody hears of this one, its senders last.
      setImmediate(() => batch.forEach(({ answer }, index) => answer(outcomes[index]!)));
    }
    this.#running = false;
    setImmediate(() => this.#idle.splice(0).forEach((resolve) => resolve()));
  }

  async #store(sends: readonly Send[]): Promise<readonly Outcome[]> {
    for (const careful of [false, true]) {
      try {
        return await this.#kernel.transactions.run('im', (writing) =>
          storeBatch(this.#parts, writing, sends, this.#kernel.clock.now(), { careful }),
        );
      } catch (error) {
        if (error instanceof StoredBefore && !careful) continue;
        this.#kernel.log.error({ error }, 'a batch of messages could not be stored');
        break;
      }
    }
    return sends.map(() => refusal('STORE_FAILED'));
  }
}
