import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { clientConfig, type DatabaseAddress } from '../address.ts';
import type { Logger } from '../../logger.ts';
import { ignoreStep, type OnStep } from '../../start/steps.ts';
import { StartFailure } from '../../startFailure.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { chooseFolder, requireWritable, existingFolder, socketFolder } from './folder.ts';
import { holdFolder } from './lock.ts';
import { Postmaster, stopOrphan } from './postmaster.ts';
import { pause } from './processes.ts';
import { chooseRunAs } from './runAs.ts';

const DATABASE = 'kangqiao';

export interface EmbeddedServer {
  /** Enters the product's database as the owner of everything in it. */
  address: Exclude<DatabaseAddress, { url: string }>;
  /** Where its files lie. */
  folder: string;
  logFile: string;
  /** Number of the server's main process, for tests. */
  readonly pid: number | null;
  /** Fast shutdown; then the data folder is free again. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Data folder of the product; everything else follows from it. */
  dataDir: string;
  log: Logger;
  /** PostgreSQL settings beyond the product's own; test runs turn durability off. */
  settings?: Readonly<Record<string, string>>;
  onStep?: OnStep;
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Never a TCP port where there are Unix sockets, so a PostgreSQL on 5432 is not in the way. */
async function endpoint(sockets: string): Promise<{ host: string; port: number; settings: Record<string, string> }> {
  if (process.platform !== 'win32') {
    return {
      host: sockets,
      port: 5432,
      settings: { listen_addresses: '', unix_socket_directories: sockets, unix_socket_permissions: '0700', port: '5432' },
    };
  }
  const port = await freePort();
  return { host: '127.0.0.1', port, settings: { listen_addresses: '127.0.0.1', port: String(port) } };
}

async function ensureDatabase(address: EmbeddedServer['address']): Promise<void> {
  const client = new pg.Client(clientConfig({ ...address, database: 'postgres' }));
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Enters the server that already runs on a data folder, held by another process; null when none runs. For `npm run admin:reset`. */
export function runningAddress(dataDir: string): EmbeddedServer['address'] | null {
  const folder = existingFolder(dataDir);
  const pidFile = folder && path.join(folder, 'cluster', 'postmaster.pid');
  if (!folder || !pidFile || !existsSync(pidFile)) return null;
  const [, , , port = '', sockets = ''] = readFileSync(pidFile, 'utf8').split('\n');
  const password = readFileSync(path.join(folder, 'password'), 'utf8').trim();
  return { host: sockets || '127.0.0.1', port: Number(port), user: SUPERUSER, password, database: DATABASE };
}

/** Ends the server of a data folder whose owner was killed; for folders of test runs that nobody will start again. */
export async function stopAbandoned(dataDir: string): Promise<void> {
  const release = await holdFolder(realpathSync(dataDir), 0);
  try {
    const folder = existingFolder(dataDir);
    if (folder) await stopOrphan(path.join(folder, 'cluster'), findBinaries(chooseRunAs(folder)));
  } finally {
    release();
  }
}

/**
 * Starts PostgreSQL 18 from the npm package on the data folder and keeps it running.
 * A server that a killed process left behind is stopped first, and one that ends by itself is started again.
 * @throws StartFailure when another process holds the folder or the server does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new StartFailure(`The data folder cannot be made: ${(error as Error).message}. Set KANGQIAO_DATA_DIR to another folder.`);
  }
  const dataDir = realpathSync(options.dataDir);
  requireWritable(dataDir);
  const release = await holdFolder(dataDir);
  try {
    const runAs = chooseRunAs(existingFolder(dataDir));
    const binaries = findBinaries(runAs);
    const folder = chooseFolder(dataDir, runAs);
    const cluster = await ensureCluster(folder, binaries, runAs, options.onStep ?? ignoreStep);
    const sockets = socketFolder(folder, runAs);
    const { host, port, settings } = await endpoint(sockets);
    const address = { host, port, user: SUPERUSER, password: cluster.password, database: DATABASE };
    const logFile = path.join(dataDir, 'logs', 'postgres.log');
    await stopOrphan(cluster.data, binaries);
    const postmaster = new Postmaster({
      binaries,
      data: cluster.data,
      runAs,
      logFile,
      address,
      settings: {
        ...settings,
        fsync: 'on',
        max_connections: '100',
        shared_buffers: '256MB',
        timezone: 'UTC',
        log_timezone: 'UTC',
        jit: 'off',
        log_line_prefix: '%m [%p] ',
        ...options.settings,
      },
    });
    await postmaster.start();
    try {
      await ensureDatabase(address);
    } catch (error) {
      await postmaster.stop();
      throw error;
    }

    let stopping = false;
    const supervise = async () => {
      while (!stopping) {
        await postmaster.ended;
        if (stopping) return;
        options.log.error({ logFile }, 'The embedded PostgreSQL ended by itself; starting it again');
        await pause(500);
        await postmaster.start().catch((error: unknown) => options.log.error({ error }, 'The embedded PostgreSQL does not start'));
      }
    };
    if (process.platform !== 'win32') void supervise();

    return {
      address,
      folder,
      logFile,
      get pid() {
        return postmaster.pid;
      },
      async stop() {
        stopping = true;
        await postmaster.stop();
        rmSync(sockets, { recursive: true, force: true });
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
