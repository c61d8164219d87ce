import { SYNC_LIMIT } from '../../../contract/im/limits.ts';
import type { Answers, WireEvent } from '../../../contract/im/wire.ts';

const HOLE_MS = 200;
const AGAIN_MS = 1_000;

export interface FollowerParts {
  sync(cursor: number, limit: number): Promise<Answers['sync']>;
  /** Events in order, each exactly once. */
  apply(events: readonly WireEvent[]): void;
  /** The log does not reach back to the cursor: load everything anew. @returns the number from which to go on. */
  reload(nextCursor: number): Promise<number>;
}

/** Applies a user's numbered events without a gap and without doubles, however they come: live, late, twice, or asked for. */
export class Follower {
  readonly #parts: FollowerParts;
  readonly #early = new Map<number, WireEvent>();
  #cursor: number;
  #syncing: Promise<void> | null = null;
  #hole: ReturnType<typeof setTimeout> | null = null;
  #waiters: { n: number; done(): void }[] = [];
  #stopped = false;

  constructor(cursor: number, parts: FollowerParts) {
    this.#cursor = cursor;
    this.#parts = parts;
  }

  get cursor(): number {
    return this.#cursor;
  }

  hear(event: WireEvent): void {
    if (this.#stopped || event.n <= this.#cursor) return;
    this.#early.set(event.n, event);
    this.#drain();
    if (this.#early.size > 0) this.#hole ??= setTimeout(() => this.#askForHole(), HOLE_MS);
  }

  /** The service says what its last number is. */
  tick(n: number): void {
    if (n > this.#cursor && this.#hole === null) void this.sync().catch(() => {});
  }

  /** Resolves when the event of this number was applied; asks for it when it does not come by itself. */
  async reached(n: number): Promise<void> {
    if (n <= this.#cursor) return;
    const timer = setTimeout(() => void this.sync().catch(() => {}), AGAIN_MS);
    await new Promise<void>((done) => this.#waiters.push({ n, done }));
    clearTimeout(timer);
  }

  /** Fetches what is missing; one round at a time. */
  sync(): Promise<void> {
    this.#syncing ??= this.#run().finally(() => (this.#syncing = null));
    return this.#syncing;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#hole) clearTimeout(this.#hole);
    for (const { done } of this.#waiters.splice(0)) done();
  }

  #askForHole(): void {
    this.#hole = null;
    for (const n of this.#early.keys()) if (n <= this.#cursor) this.#early.delete(n);
    if (this.#early.size === 0 || this.#stopped) return;
    // Where the service cannot be reached, the next connection asks again.
    this.sync().catch(() => {});
  }

  async #run(): Promise<void> {
    for (let more = true; more && !this.#stopped;) {
      const answer = await this.#parts.sync(this.#cursor, SYNC_LIMIT);
      if (this.#stopped) return;
      if (answer.reset) {
        this.#early.clear();
        this.#move(await this.#parts.reload(answer.nextCursor));
        this.#drain();
        continue;
      }
      for (const event of answer.events) if (event.n > this.#cursor) this.#early.set(event.n, event);
      this.#drain();
      ({ more } = answer);
    }
  }

  #drain(): void {
    const ready: WireEvent[] = [];
    for (let next = this.#early.get(this.#cursor + 1); next; next = this.#early.get(this.#cursor + ready.length + 1)) ready.push(next);
    for (const { n } of ready) this.#early.delete(n);
    if (ready.length === 0) return;
    this.#cursor += ready.length;
    this.#parts.apply(ready);
    this.#move(this.#cursor);
  }

  #move(cursor: number): void {
    this.#cursor = cursor;
    for (const n of this.#early.keys()) if (n <= cursor) this.#early.delete(n);
    if (this.#early.size === 0 && this.#hole) {
      clearTimeout(this.#hole);
      this.#hole = null;
    }
    const reached = this.#waiters.filter(({ n }) => n <= cursor);
    this.#waiters = this.#waiters.filter(({ n }) => n > cursor);
    for (const { done } of reached) done();
  }
}
