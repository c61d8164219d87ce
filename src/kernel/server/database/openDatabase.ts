import { sql } from 'kysely';
import type pg from 'pg';
import type { Instant } from '../../contract/time.ts';
import type { Config } from '../config/config.ts';
import { requireWholeRestore } from '../backup/underWay.ts';
import type { Db } from '../context.ts';
import type { Logger } from '../logger.ts';
import type { OutageLog } from './outageLog.ts';
import { ignoreStep, type OnStep } from '../start/steps.ts';
import type { DatabaseAddress } from './address.ts';
import { startEmbedded } from './embedded/embedded.ts';
import type { SecondConnection } from './heldConnection.ts';
import { connectOwner, migrate, readMigrations } from './migrator.ts';
import type { CommittedWrites } from './committedWrites.ts';
import { ensureAllPartitions } from './partitions.ts';
import { createDb } from './pool.ts';

/** The migrated database with its pools in the application's role. */
export interface Database {
  /** As the owner: for the migrator and the partitions alone. */
  address: DatabaseAddress;
  db: Db;
  pool: pg.Pool;
  committedWrites: CommittedWrites;
  /** Pool of the replica for exports and previews; the same as `db` without one. */
  readDb: Db;
  /** Sentence for the console: where the data lies. */
  place: string;
  /** Makes the month partitions of the next twelve months; once a day. */
  ensurePartitions(now: Instant): Promise<void>;
  /** Whether the database answers and has run every migration of this version. */
  ready(): Promise<boolean>;
  /** Closes the pools, then the embedded server. */
  close(): Promise<void>;
}

const POOL_SIZE = 20;
const READ_POOL_SIZE = 10;

const refuseSecond = (error: SecondConnection) => {
  throw error;
};

/**
 * Starts the embedded server, or enters the one of `DATABASE_URL`, migrates it and opens the pools.
 * @throws StartFailure with a sentence for the console.
 */
export async function openDatabase(
  config: Config,
  log: Logger & Partial<OutageLog>,
  now: Instant,
  onStep: OnStep = ignoreStep,
): Promise<Database> {
  const server = config.databaseUrl
    ? { address: { url: config.databaseUrl }, place: `PostgreSQL at ${new URL(config.databaseUrl).host}`, stop: async () => {} }
    : await startEmbedded({ dataDir: config.dataDir, log, onStep }).then((one) => ({
        address: one.address,
        place: one.folder,
        stop: () => one.stop(),
      }));
  const address: DatabaseAddress = server.address;
  try {
    await requireWholeRestore(address);
    await migrate(address, now, readMigrations(), onStep);
    const options = { log, ...(config.mode === 'test' && { onSecondConnection: refuseSecond }) };
    const primary = createDb(address, { ...options, max: POOL_SIZE, onConnect: () => log.reached?.() });
    const replica = config.databaseReadUrl ? createDb({ url: config.databaseReadUrl }, { ...options, max: READ_POOL_SIZE }) : null;
    return {
      address,
      db: primary.db,
      pool: primary.pool,
      committedWrites: primary.committedWrites,
      readDb: replica?.db ?? primary.db,
      place: server.place,
      async ensurePartitions(at) {
        const owner = await connectOwner(address);
        try {
          await ensureAllPartitions(owner, at);
        } finally {
          await owner.end();
        }
      },
      async ready() {
        try {
          const { rows } = await sql<{ name: string }>`select name from kernel_migration`.execute(primary.db);
          const run = new Set(rows.map((row) => row.name));
          return readMigrations().every((migration) => run.has(migration.name));
        } catch {
          return false;
        }
      },
      async close() {
        await Promise.all([primary.close(), replica?.close()]);
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
