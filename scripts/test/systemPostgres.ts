import { execFileSync } from 'node:child_process';
import { chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Binaries } from '#kernel/server/database/embedded/binaries.ts';
import { ensureCluster, SUPERUSER } from '#kernel/server/database/embedded/cluster.ts';
import { Postmaster } from '#kernel/server/database/embedded/postmaster.ts';
import { chooseRunAs } from '#kernel/server/database/embedded/runAs.ts';

const OLDEST = 15;

export interface SystemPostgres {
  version: number;
  folder: string;
}

/** The newest PostgreSQL of this machine that is new enough; null without one. */
export function findSystemPostgres(): SystemPostgres | null {
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), '/usr/bin', '/usr/local/bin', '/usr/local/pgsql/bin'];
  const found = folders.flatMap((folder): SystemPostgres[] => {
    try {
      const output = execFileSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      return [{ version: Number(/(\d+)/.exec(output)?.[1]), folder }];
    } catch {
      return [];
    }
  });
  return found.filter((one) => one.version >= OLDEST).sort((a, b) => b.version - a.version)[0] ?? null;
}

export const freePort = (): Promise<number> =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

export interface OwnServer {
  url: string;
  postmaster: Postmaster;
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}

/** A throw-away PostgreSQL on a free loopback port, entered by URL like an operator's own. */
export async function startOwnServer(binaries: Binaries): Promise<OwnServer> {
  const runAs = chooseRunAs(null);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-system-'));
  const sockets = path.join(folder, 'run');
  mkdirSync(sockets);
  if (runAs) for (const one of [folder, sockets]) chownSync(one, runAs.uid, runAs.gid);
  const cluster = await ensureCluster(folder, binaries, runAs);
  const port = await freePort();
  const address = { host: '127.0.0.1', port, user: SUPERUSER, password: cluster.password, database: 'postgres' };
  const postmaster = new Postmaster({
    binaries,
    data: cluster.data,
    runAs,
    address,
    logFile: path.join(folder, 'server.log'),
    settings: {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: sockets,
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      timezone: 'UTC',
    },
  });
  await postmaster.start();
  return {
    url: `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/postgres`,
    postmaster,
    async close() {
      await postmaster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the work with the URL of a throw-away server of that PostgreSQL. */
export async function withSystemPostgres<T>({ folder, version }: SystemPostgres, work: (url: string) => Promise<T>): Promise<T> {
  const program = (name: string) => path.join(folder, name);
  const server = await startOwnServer({
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    version: String(version),
  });
  try {
    return await work(server.url);
  } finally {
    await server.close();
  }
}
