import { execFileSync } from 'node:child_process';
import { chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ensureCluster, SUPERUSER } from '../../src/kernel/server/database/embedded/cluster.ts';
import { Postmaster } from '../../src/kernel/server/database/embedded/postmaster.ts';
import { chooseRunAs } from '../../src/kernel/server/database/embedded/runAs.ts';

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
      const said = execFileSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      return [{ version: Number(/(\d+)/.exec(said)?.[1]), folder }];
    } catch {
      return [];
    }
  });
  return found.filter((one) => one.version >= OLDEST).sort((a, b) => b.version - a.version)[0] ?? null;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Runs the work with the URL of a throw-away server of that PostgreSQL. */
export async function withSystemPostgres<T>(found: SystemPostgres, work: (url: string) => Promise<T>): Promise<T> {
  const runAs = chooseRunAs(null);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-system-'));
  const sockets = path.join(folder, 'run');
  mkdirSync(sockets);
  if (runAs) for (const one of [folder, sockets]) chownSync(one, runAs.uid, runAs.gid);
  const binaries = {
    initdb: path.join(found.folder, 'initdb'), postgres: path.join(found.folder, 'postgres'), pgCtl: path.join(found.folder, 'pg_ctl'), version: String(found.version),
  };
  try {
    const cluster = ensureCluster(folder, binaries, runAs);
    const port = await freePort();
    const address = { host: '127.0.0.1', port, user: SUPERUSER, password: cluster.password, database: 'postgres' };
    const server = new Postmaster({
      binaries, data: cluster.data, runAs, address, logFile: path.join(folder, 'server.log'),
      settings: { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: sockets, fsync: 'off', full_page_writes: 'off', max_connections: '200', timezone: 'UTC' },
    });
    await server.start();
    try {
      return await work(`postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/postgres`);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
