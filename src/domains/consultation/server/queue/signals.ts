import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { NodeBus } from '#kernel/server/realtime/nodeBus.ts';
import { operatorIdOf, roleOf } from '../../contract/im/ids.ts';
import { imEngine } from '../im/engine.ts';
import { countsOf } from './counts.ts';

const COALESCE_MS = 1_000;
const TOPIC = 'im.queue';

/** Tells the assistants connected to this process how their queue stands: once a second at most, and only whom it concerns. */
export class QueueSignals {
  readonly #kernel: Kernel;
  /** What each account heard last. */
  #sent = new Map<string, string>();
  #bus: NodeBus | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  attach(bus: NodeBus): void {
    this.#bus = bus;
    bus.subscribe(TOPIC, () => this.#note());
  }

  /** Something about the queue was committed. */
  changed(): void {
    this.#note();
    this.#bus?.publish(TOPIC, null);
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#bus = null;
  }

  #note(): void {
    // Nobody is connected where nothing is attached: a job's process, a test without sockets.
    if (this.#bus === null) return;
    this.#timer ??= setTimeout(
      () => void this.#publish().catch((error: unknown) => this.#kernel.log.warn({ error }, 'the queue could not be told')),
      COALESCE_MS,
    );
  }

  async #publish(): Promise<void> {
    this.#timer = null;
    const { hub } = imEngine(this.#kernel);
    const assistants = hub.users().filter((userID) => roleOf(userID) === 'ASSISTANT');
    if (assistants.length === 0) {
      this.#sent.clear();
      return;
    }
    const before = this.#sent;
    this.#sent = new Map();
    for (const { operatorId, mark, ...counts } of await countsOf(this.#kernel.db, assistants.map(operatorIdOf), this.#kernel.clock.now())) {
      const userID = `A${operatorId}`;
      const signal = JSON.stringify([counts, mark]);
      this.#sent.set(userID, signal);
      if (before.get(userID) !== signal) hub.liveHere([userID], { type: 'queue', counts: { ...counts } });
    }
  }
}

const all = new WeakMap<Kernel, QueueSignals>();
export function queueSignals(kernel: Kernel): QueueSignals {
  const known = all.get(kernel);
  if (known) return known;
  const made = new QueueSignals(kernel);
  all.set(kernel, made);
  return made;
}

/** After the commit the queue's counts go out. */
export const publishQueue = (kernel: Kernel, writing: Pick<Writing, 'afterCommit'>): void =>
  writing.afterCommit(() => queueSignals(kernel).changed());
