import { Kysely } from 'kysely';
import pg from 'pg';
import type { Db } from '../context.ts';
import type { Logger } from '../logger.ts';
import { clientConfig, type DatabaseAddress } from './address.ts';
import { meaning, reportingAway } from './away.ts';
import { CommittedWrites } from './committedWrites.ts';
import { oneConnection, type SecondConnection } from './heldConnection.ts';
import { FieldNames, SnakeCaseDialect } from './naming.ts';
import { preparing } from './prepared.ts';
import { savingRoundTrips } from './roundTrips.ts';
import { APP_ROLE } from './roles.ts';
import type { KernelTables } from './tables.ts';
import { typeParsers } from './types.ts';

export interface PoolOptions {
  log: Logger;
  /** Connections at most; default 20. */
  max?: number;
  /** A statement that runs longer is cancelled; milliseconds, default 60,000. */
  statementTimeoutMs?: number;
  /** Works as the application's role unless false (migration and tests of the schema). */
  asApplication?: boolean;
  /** Told of each connection that is opened. */
  onConnect?(): void;
  /** Told of work that holds a connection and asks for another; throws where that is refused. Default: it is logged. */
  onSecondConnection?(error: SecondConnection): void;
  /** Told of each statement. */
  onStatement?(text: string, parameters: readonly unknown[]): void;
}

export interface DbPool {
  db: Db;
  pool: pg.Pool;
  /** What goes through `db`. */
  committedWrites: CommittedWrites;
  close(): Promise<void>;
}

/** A process that stands still in the middle of a transaction (stopped, or swapped out) loses it with its locks after so long. */
const IDLE_IN_TRANSACTION_MS = 20_000;

/** A pool of connections in the application's role, and Kysely on it: snake_case outside, camelCase inside, jsonb untouched. */
export function createDb(address: DatabaseAddress, options: PoolOptions): DbPool {
  const settings: Record<string, string> = {
    statement_timeout: String(options.statementTimeoutMs ?? 60_000),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    lock_timeout: '5000',
  };
  if (options.asApplication !== false) settings['role'] = APP_ROLE;
  const pool = new pg.Pool({
    ...clientConfig(address, settings),
    types: typeParsers,
    max: options.max ?? 20,
    idleTimeoutMillis: 10_000,
    // What the client and the server keep about statements that were once prepared goes with the connection.
    maxLifetimeSeconds: 3_600,
    pipeline: true,
  });
  let closing = false;
  // A server that goes away breaks idle connections; the pool opens new ones when it is back.
  pool.on('error', (error) => closing || options.log.warn({ error: meaning(error) }, 'A database connection was lost'));
  // While a connection is lent out the pool does not listen to it; between two queries of a transaction its end would end the program.
  // Whoever holds it learns of the loss from the next query.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    options.onConnect?.();
  });
  const committedWrites = new CommittedWrites();
  const onSecond = options.onSecondConnection ?? ((error) => options.log.error({ error }, 'a transaction asked for a second connection'));
  const db = new Kysely<KernelTables>({
    dialect: new SnakeCaseDialect({
      pool: oneConnection(committedWrites.reporting(preparing(reportingAway(savingRoundTrips(pool)))), onSecond),
    }),
    plugins: [new FieldNames()],
    ...(options.onStatement && { log: ({ query }) => options.onStatement?.(query.sql, query.parameters) }),
  });
  return {
    db,
    pool,
    committedWrites,
    close() {
      closing = true; // the server may end before it has read the last farewell
      return db.destroy();
    },
  };
}
