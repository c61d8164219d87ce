import type pg from 'pg';

/** The database cannot be reached now, or was lost under a statement; it may be back in a moment. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/** Causes of causes that are looked into. */
const DEPTH = 5;

/** Whether a failure is the database's absence, also as another one's cause. */
export function isAway(error: unknown, depth = DEPTH): boolean {
  if (error instanceof DatabaseAway) return true;
  return depth > 0 && error instanceof Error && isAway(error.cause, depth - 1);
}

/** All connections were lent out for longer than anybody waits for one. */
export class PoolFull extends Error {
  override readonly name = 'PoolFull';
}

/** What node-postgres says of that; of a server that does not accept it says something else. */
const FULL = 'timeout exceeded when trying to connect';

/** Shut down by its administrator, crashed, starting up, idle too long, in a transaction too; and the class of connection exceptions. */
const LOST = /^(57P01|57P02|57P03|57P05|25P03|08\d{3})$/;
const BROKEN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);
/** What node-postgres says without a code. */
const SAID = /^Connection terminated|not queryable$/;

/** Whether a statement failed because its connection is gone, and not by itself. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return LOST.test(code) || BROKEN.has(code) || SAID.test(error.message);
}

/** Passes a failure on as what it means. */
export function meaning(error: unknown): unknown {
  return isLost(error) ? new DatabaseAway((error as Error).message, { cause: error }) : error;
}

/** The pool whose failures to reach the database all say so: no connection within the time, none accepted, one lost under a statement. */
export function reportingAway(pool: Pick<pg.Pool, 'connect' | 'end' | 'options'>) {
  const known = new WeakSet<pg.PoolClient>();
  const teach = (client: pg.PoolClient) => {
    known.add(client);
    const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (...args: unknown[]) => {
      const answer = plain(...args);
      return answer instanceof Promise
        ? answer.catch((error: unknown) => {
            throw meaning(error);
          })
        : answer;
    };
    Object.assign(client, { query });
  };
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        if (error instanceof Error && error.message === FULL) throw new PoolFull(FULL, { cause: error });
        throw new DatabaseAway(error instanceof Error ? error.message : String(error), { cause: error });
      });
      if (!known.has(client)) teach(client);
      return client;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
