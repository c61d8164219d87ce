import type pg from 'pg';

/** A text is prepared once it was sent so often; what is built for a single search never is. */
const OFTEN = 4;
/** Texts prepared per process at most: each costs memory on every connection. */
const LIMIT = 400;
/** Texts counted at most; beyond it only what is known already is prepared. */
const COUNTED = 5_000;

/**
 * Names the statements that a process sends again and again, so that PostgreSQL parses and plans them once per
 * connection instead of every time (its plan cache still chooses a fresh plan where the parameters matter).
 */
export class StatementNames {
  readonly #seen = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The name under which a text is prepared; undefined while it is rare. */
  of(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= LIMIT) return name;
    const times = (this.#seen.get(text) ?? 0) + 1;
    if (times < OFTEN) {
      if (this.#seen.size < COUNTED || times > 1) this.#seen.set(text, times);
      return undefined;
    }
    this.#seen.delete(text);
    const fresh = `s${this.#names.size}`;
    this.#names.set(text, fresh);
    return fresh;
  }
}

const PREPARABLE = /^\s*(select|insert|update|delete|with)\b/i;

/** The pool's connections, on which repeated statements go out under their names. */
export function preparing(pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>) {
  const names = new StatementNames();
  const known = new WeakSet<pg.PoolClient>();
  const teach = (client: pg.PoolClient) => {
    known.add(client);
    const plain = client.query.bind(client);
    const query = (...args: Parameters<typeof plain>) => {
      const [text, values]: unknown[] = args;
      if (args.length > 2 || typeof text !== 'string' || !Array.isArray(values) || !PREPARABLE.test(text)) return plain(...args);
      const name = names.of(text);
      return name === undefined ? plain(...args) : plain({ name, text, values });
    };
    Object.assign(client, { query });
  };
  return {
    async connect() {
      const client = await pool.connect();
      if (!known.has(client)) teach(client);
      return client;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
