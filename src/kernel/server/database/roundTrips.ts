import pg from 'pg';

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
 * The pool, whose transactions go to the database and back two times less: `begin` and statements marked by `WITH_COMMIT` wait for the next
 * one, and all go out together, in one write. Needs connections that pipeline.
 */
export function savingRoundTrips(pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>) {
  const known = new WeakSet<pg.PoolClient>();
  const teach = (client: pg.PoolClient) => {
    known.add(client);
    const plain = client.query.bind(client) as (...args: unknown[]) => Promise<Answer>;
    const stream = client instanceof pg.Client ? client.connection.stream : null;
    let begin: string | null = null;
    let inTransaction = false;
    let held: unknown[][] = [];
    let corked = false;
    /** What is sent before anything else happens goes out in one write: writing costs more than what is written. */
    const cork = () => {
      if (corked || !stream) return;
      corked = true;
      stream.cork();
      process.nextTick(() => {
        corked = false;
        stream.uncork();
      });
    };
    /** Those that waited and this one. */
    const send = (args: unknown[]): Promise<Answer> => {
      cork();
      if (begin === null && held.length === 0) return plain(...args);
      // Where this fails the statement behind it fails too, and that one is heard.
      if (begin !== null) plain(begin).catch(() => undefined);
      const sent = held.map((one) => plain(...one));
      begin = null;
      held = [];
      return Promise.all([plain(...args), ...sent]).then(([answer]) => answer);
    };
    const query = (...args: unknown[]): Promise<Answer> => {
      const [first] = args;
      const text = textOf(first);
      if (text !== null && BEGINS.test(text)) {
        begin = text;
        inTransaction = true;
        held = [];
        return Promise.resolve(answered('BEGIN'));
      }
      const rollsBack = text !== null && ROLLS_BACK.test(text);
      if (rollsBack) held = [];
      if (rollsBack || (text !== null && COMMITS.test(text))) {
        inTransaction = false;
        // Nothing was done in it.
        if (begin !== null && held.length === 0) {
          begin = null;
          return Promise.resolve(answered(rollsBack ? 'ROLLBACK' : 'COMMIT'));
        }
      }
      if (!inTransaction || !text?.endsWith(WITH_COMMIT)) return send(args);
      held.push(args);
      return Promise.resolve(answered('INSERT'));
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
