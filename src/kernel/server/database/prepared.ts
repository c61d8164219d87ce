import type pg from 'pg';

/** A text is prepared once it was sent so often; what is built for a single search never is. */
const OFTEN = 4;
/** Texts prepared at a time: each costs memory on every connection. */
const LIMIT = 400;
/** Rare texts counted at a time. */
const COUNTED = 5_000;
/** Statements that a connection keeps at most: those that are named, and some that no longer are, so that they are ended together. */
const KEPT = LIMIT + 100;
/** A name is given away when so many statements were sent without its own: more than the limit may be in use, and would only take turns. */
const UNUSED = 5_000;

/**
 * Names the statements that a process sends again and again, so that PostgreSQL parses and plans them once per
 * connection instead of every time (its plan cache still chooses a fresh plan where the parameters matter). At the limit one that was not
 * sent for long loses its name: what a start writes must not keep all names from what comes every day.
 */
export class StatementNames {
  /** How often a text without a name was sent; the last one sent stands last. */
  readonly #seen = new Map<string, number>();
  /** By text, with the number of statements sent when it was sent last; that one stands last. */
  readonly #names = new Map<string, { name: string; sentAt: number }>();
  /** Of `#names`. */
  readonly #current = new Set<string>();
  #given = 0;
  #sent = 0;

  /** The name under which a text is prepared; undefined while it is rare. A name never comes back for another text. */
  of(text: string): string | undefined {
    this.#sent += 1;
    const named = this.#names.get(text);
    if (named !== undefined) {
      named.sentAt = this.#sent;
      this.#names.delete(text);
      this.#names.set(text, named);
      return named.name;
    }
    const times = (this.#seen.get(text) ?? 0) + 1;
    this.#seen.delete(text);
    if (times < OFTEN || !this.#hasRoom()) {
      this.#seen.set(text, times);
      if (this.#seen.size > COUNTED) this.#seen.delete(this.#seen.keys().next().value!);
      return undefined;
    }
    const name = `s${this.#given++}`;
    this.#names.set(text, { name, sentAt: this.#sent });
    this.#current.add(name);
    return name;
  }

  /** Whether a name can be given, if need be by taking the oldest away. */
  #hasRoom(): boolean {
    if (this.#names.size < LIMIT) return true;
    const [text, { name, sentAt }] = this.#names.entries().next().value!;
    if (this.#sent - sentAt <= UNUSED) return false;
    this.#names.delete(text);
    this.#current.delete(name);
    return true;
  }

  isCurrent(name: string): boolean {
    return this.#current.has(name);
  }
}

const PREPARABLE = /^\s*(select|insert|update|delete|with)\b/i;

/** The pool's connections, on which repeated statements go out under their names. */
export function preparing(pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>) {
  const names = new StatementNames();
  /** What each connection has prepared. */
  const prepared = new WeakMap<pg.PoolClient, Set<string>>();
  const teach = (client: pg.PoolClient) => {
    const own = new Set<string>();
    prepared.set(client, own);
    const plain = client.query.bind(client);
    const query = (...args: Parameters<typeof plain>) => {
      const [text, values]: unknown[] = args;
      if (args.length > 2 || typeof text !== 'string' || !Array.isArray(values) || !PREPARABLE.test(text)) return plain(...args);
      const name = names.of(text);
      if (name === undefined) return plain(...args);
      own.add(name);
      return plain({ name, text, values });
    };
    Object.assign(client, { query });
  };
  /** Between two uses of a connection, where no transaction is under way. */
  const endFormer = async (client: pg.PoolClient, own: Set<string>) => {
    // Not all of its own exist: one that PostgreSQL refused was never prepared.
    const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements');
    const former = rows.filter(({ name }) => own.has(name) && !names.isCurrent(name));
    await client.query(former.map(({ name }) => `deallocate ${name}`).join('; '));
    for (const name of own) if (!names.isCurrent(name)) own.delete(name);
  };
  return {
    async connect() {
      const client = await pool.connect();
      const own = prepared.get(client);
      if (!own) teach(client);
      else if (own.size > KEPT) {
        try {
          await endFormer(client, own);
        } catch (error) {
          client.release(true);
          throw error;
        }
      }
      return client;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
