import type { CommittedWrites } from './committedWrites.ts';
import type { DatabaseListener } from './listener.ts';

/** The channel on which triggers notify of rows that processes keep in memory. */
const CHANNEL = 'kangqiao_rows';

/** What keeps rows in memory between requests learns here when they change. */
export interface RowChanges {
  /** False while notifications of other processes may be lost: then nothing that was read before may be used. */
  readonly live: boolean;
  /**
   * @param topic first word of what the tables' triggers notify: `session user 17`
   * @param writes the text of statements of this process that change such rows
   * @param hear is called with what follows the topic; null: anything may have changed
   */
  watch(topic: string, writes: RegExp, hear: (changed: string | null) => void): void;
}

/** The changes of all processes on a database; `start` begins to listen. */
export function rowChanges(own: CommittedWrites): RowChanges & { start(notifications: DatabaseListener): Promise<{ close(): void }> } {
  const topics = new Map<string, (changed: string | null) => void>();
  let live = false;
  const forgetAll = () => {
    for (const hear of topics.values()) hear(null);
  };
  return {
    get live() {
      return live;
    },
    watch(topic, writes, hear) {
      topics.set(topic, hear);
      own.watch(writes, () => hear(null));
    },
    start: (notifications) =>
      notifications.on(CHANNEL, {
        hear(payload) {
          const space = payload.indexOf(' ');
          topics.get(payload.slice(0, space))?.(payload.slice(space + 1));
        },
        up() {
          forgetAll();
          live = true;
        },
        down() {
          live = false;
          forgetAll();
        },
      }),
  };
}
