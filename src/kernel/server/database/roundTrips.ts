import type pg from 'pg';

/** The statement alone: what brings a whole transaction in one text goes out as it is. */
const BEGINS = /^\s*(begin|start transaction[a-z, ]*)\s*$/i;
const COMMITS = /^\s*commit\s*$/i;
const ROLLS_BACK = /^\s*rollback\s*$/i;

/** At the end of a statement's text: nobody needs its result, so it may go out together with the commit. Its failure fails the commit. */
export const WITH_COMMIT = ' /* with the commit */';

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'oid' | 'rows' | 'fields'>;
/** What node-postgres answers to a statement without rows. */
const answered = (command: string): Answer => ({ command, rowCount: 0, oid: 0, rows: [], fields: [] });

/**
 * The pool, whose transactions go to the database and back two times less: `begin` waits for the first statement, a statement marked
 * by `WITH_COMMIT` for the next one, and both go out together. Needs connections that pipeline.
 */
export function savingRoundTrips(pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>) {
  const known = new WeakSet<pg.PoolClient>();
  const teach = (client: pg.PoolClient) => {
    known.add(client);
    const plain = client.query.bind(client) as (...args: unknown[]) => Promise<Answer>;
    let begin: string | null = null;
    let inTransaction = false;
    let held: unknown[] | null = null;
    const query = (...args: unknown[]): Promise<Answer> => {
      const [first] = args;
      const text = textOf(first);
      if (text !== null && BEGINS.test(text)) {
        begin = text;
        inTransaction = true;
        held = null;
        return Promise.resolve(answered('BEGIN'));
      }
      const ends = text !== null && (COMMITS.test(text) || ROLLS_BACK.test(text));
      if (ends) inTransaction = false;
      if (begin !== null) {
        const waiting = begin;
        begin = null;
        // Nothing was done in it.
        if (ends) return Promise.resolve(answered(text.trim().toUpperCase()));
        // Where this fails the statement behind it fails too, and that one is heard.
        plain(waiting).catch(() => undefined);
      }
      if (held === null) {
        if (!inTransaction || !text?.endsWith(WITH_COMMIT)) return plain(...args);
        held = args;
        return Promise.resolve(answered('INSERT'));
      }
      const before = held;
      held = text?.endsWith(WITH_COMMIT) ? args : null;
      if (text !== null && ROLLS_BACK.test(text)) return plain(...args);
      const sent = plain(...before);
      const next = held === null ? plain(...args) : Promise.resolve(answered('INSERT'));
      return Promise.all([sent, next]).then(([, answer]) => answer);
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

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string' ? query.text : null;
}
