import type pg from 'pg';

interface Watched {
  writes: RegExp;
  hear(): void;
}

interface Connection {
  inTransaction: boolean;
  wrote: Set<Watched>;
}

const READS = /^\s*select\b/i;

/**
 * Tells of what this process has committed, before whoever waits for the commit goes on: what is kept in memory of the rows is
 * dropped by then. Works on the text of the statements, so that no writer can forget it.
 */
export class CommittedWrites {
  readonly #watched: Watched[] = [];

  /** @param writes matches the text of each statement that changes the rows in question. */
  watch(writes: RegExp, hear: () => void): void {
    this.#watched.push({ writes, hear });
  }

  /** The pool, whose connections report their commits. A commit whose answer was lost counts as done. */
  reporting(pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>) {
    const known = new WeakSet<pg.PoolClient>();
    return {
      connect: async () => {
        const client = await pool.connect();
        if (!known.has(client)) {
          known.add(client);
          this.#teach(client);
        }
        return client;
      },
      end: () => pool.end(),
      options: pool.options,
    };
  }

  #teach(client: pg.PoolClient): void {
    const connection: Connection = { inTransaction: false, wrote: new Set() };
    const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (...args: unknown[]) => {
      const [text] = args;
      if (typeof text !== 'string' || this.#watched.length === 0) return plain(...args);
      const ends = this.#note(connection, text);
      const answer = plain(...args);
      if (!ends || !(answer instanceof Promise)) return answer;
      return answer.finally(() => {
        const wrote = [...connection.wrote];
        connection.wrote.clear();
        for (const { hear } of wrote) hear();
      });
    };
    Object.assign(client, { query });
  }

  /** @returns whether the statement makes what was written so far visible to others. */
  #note(connection: Connection, text: string): boolean {
    if (READS.test(text)) return !connection.inTransaction && connection.wrote.size > 0;
    const first = text.trimStart().slice(0, 8).toLowerCase();
    if (first.startsWith('begin') || first.startsWith('start tr')) {
      connection.inTransaction = true;
      connection.wrote.clear();
      return false;
    }
    if (first.startsWith('commit') || text.toLowerCase() === 'rollback') {
      connection.inTransaction = false;
      if (first.startsWith('rollback')) connection.wrote.clear();
      return connection.wrote.size > 0;
    }
    for (const one of this.#watched) if (one.writes.test(text)) connection.wrote.add(one);
    return !connection.inTransaction && connection.wrote.size > 0;
  }
}
