import type { TabTools } from '#domains/consultation/web/im/links/tabLink.ts';

export interface TestBrowser extends TabTools {
  /** A tab of this browser; `die` ends it as a closed window would: no farewell. */
  tab(): { tools: TabTools; die(): void };
}

/** Locks and channels as browsers give them, for several tabs in one process. */
export function testBrowser(): TestBrowser {
  const queues = new Map<string, (() => void)[]>();
  const held = new Set<string>();
  const channels = new Map<string, Set<{ hear(message: unknown): void }>>();
  const next = (name: string) => {
    const waiting = queues.get(name)?.shift();
    if (waiting) waiting();
    else held.delete(name);
  };
  const tools = (isAlive: () => boolean, died: Promise<void>): TabTools => ({
    async lead(name, whileLeading, signal) {
      if (held.has(name)) {
        await new Promise<void>((turn) => {
          queues.set(name, [...(queues.get(name) ?? []), turn]);
        });
      }
      held.add(name);
      if (isAlive() && !signal.aborted) await Promise.race([whileLeading(), died]);
      next(name);
    },
    channel(name) {
      const all = channels.get(name) ?? new Set();
      channels.set(name, all);
      const own = { hear: (_message: unknown) => {} };
      all.add(own);
      return {
        post: (message) => {
          const copy = structuredClone(message);
          for (const other of all) if (other !== own) setTimeout(() => other.hear(structuredClone(copy)), 0);
        },
        onMessage: (hear) => void (own.hear = (message) => (isAlive() ? hear(message) : undefined)),
        close: () => void all.delete(own),
      };
    },
  });
  return {
    ...tools(() => true, new Promise(() => {})),
    tab() {
      let alive = true;
      let died = () => {};
      const death = new Promise<void>((resolve) => (died = resolve));
      return {
        tools: tools(() => alive, death),
        die() {
          alive = false;
          died();
        },
      };
    },
  };
}
