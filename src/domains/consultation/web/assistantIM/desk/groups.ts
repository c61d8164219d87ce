import { send } from '#kernel/web/http/client.ts';
import { queryImMedicalGroupPage } from '../../../contract/calls/groups.ts';
import { queryQueue } from '../../../contract/calls/queue.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import type { DeskStore } from './state.ts';
import { groupIdOf } from './listing.ts';

const PAGE_SIZE = 50;
const GATHER_MS = 400;

/** Keeps what the queue knows of the groups in the list: state, owner, limits, tags. */
export class GroupFacts {
  readonly #store: DeskStore;
  readonly #wanted = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #reading = false;
  #stopped = false;

  constructor(store: DeskStore) {
    this.#store = store;
  }

  /** Asks for these soon, together with what else is asked for meanwhile. */
  want(ids: Iterable<string>): void {
    for (const id of ids) {
      const groupId = id.startsWith('GROUP') ? groupIdOf(id) : id.startsWith('C2C') ? null : id;
      if (groupId) this.#wanted.add(groupId);
    }
    if (this.#wanted.size > 0 && !this.#reading && !this.#stopped) this.#timer ??= setTimeout(() => void this.read(), GATHER_MS);
  }

  /** Reads everything that is wanted, fifty at a time. */
  async read(): Promise<void> {
    this.#timer = null;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#wanted.size > 0 && !this.#stopped) {
        const groupIds = [...this.#wanted].slice(0, PAGE_SIZE);
        for (const id of groupIds) this.#wanted.delete(id);
        const { rows } = await send(queryImMedicalGroupPage, { groupIds, pageNo: 1, pageSize: PAGE_SIZE }, { quiet: true });
        this.put(rows);
      }
    } catch {
      // Asked again with the next change or reconnection.
    } finally {
      this.#reading = false;
    }
  }

  put(rows: readonly GroupRow[]): void {
    if (rows.length === 0) return;
    const groups = new Map(this.#store.getState().groups);
    for (const row of rows) groups.set(row.groupId, row);
    this.#store.setState({ groups });
  }

  /** The queue changed: the counts stand at once, the groups behind them are asked for. */
  told(counts: Readonly<Record<string, number>>): void {
    const { queued = 0, serving = 0, snoozed = 0, overSla = 0 } = counts;
    this.#store.setState({ counts: { queued, serving, snoozed, overSla } });
    void this.queue();
  }

  /** The waiting groups of one's pool, with the counts of the tabs. */
  async queue(): Promise<void> {
    const answer = await send(queryQueue, { pageNo: 1, pageSize: PAGE_SIZE }, { quiet: true }).catch(
      (queueFault: unknown) => this.#stopped || this.#store.setState({ queueFault }),
    );
    if (typeof answer !== 'object' || this.#stopped) return;
    this.#store.setState({ counts: answer.counts, queue: answer.rows, queueFault: null });
    this.put(answer.rows);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
