import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { StartFailure } from '../../startFailure.ts';
import { clientConfig, type DatabaseAddress } from '../address.ts';
import type { Binaries } from './binaries.ts';
import { serverEnvironment } from './cluster.ts';
import { alive, commandOf, folderOf, pause, waitForEnd } from './processes.ts';
import type { RunAs } from './runAs.ts';

const STOP_MS = 60_000;
const START_MS = 60_000;
const LOG_LIMIT = 10_000_000;

export interface PostmasterOptions {
  binaries: Binaries;
  data: string;
  runAs: RunAs | undefined;
  logFile: string;
  address: Exclude<DatabaseAddress, { url: string }>;
  settings: Readonly<Record<string, string>>;
}

/** The last lines of the server's log, for a message. */
function logTail(file: string, lines = 15): string {
  if (!existsSync(file)) return '(no log)';
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

function openLog(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true });
  if (existsSync(file) && statSync(file).size > LOG_LIMIT) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o640);
}

/** Process number in postmaster.pid, when that process is the server of this very folder. */
function orphanOf(data: string): number | null {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !alive(pid)) return null;
  const folder = folderOf(pid);
  const ours = folder === null ? commandOf(pid).includes(data) || commandOf(pid) === '' : folder === data;
  if (ours) return pid;
  // The number was given to another program after a crash of the machine; PostgreSQL would take it for a running server.
  rmSync(file, { force: true });
  return null;
}

/** Ends the server that a killed process left running; what was committed is on disk. */
export async function stopOrphan(data: string, binaries: Binaries): Promise<void> {
  const pid = orphanOf(data);
  if (pid !== null) await stopServer(pid, data, binaries);
}

/** Fast shutdown: open transactions are rolled back, everything committed is written. */
async function stopServer(pid: number, data: string, binaries: Binaries): Promise<void> {
  if (process.platform === 'win32') {
    spawnSync(binaries.pgCtl, ['stop', '-D', data, '-m', 'fast', '-w', '-t', String(STOP_MS / 1000)]);
    return;
  }
  if (alive(pid)) process.kill(pid, 'SIGINT');
  if (await waitForEnd(pid, STOP_MS)) return;
  process.kill(pid, 'SIGQUIT'); // immediate shutdown; the next start recovers from the write-ahead log
  if (!(await waitForEnd(pid, 10_000))) throw new StartFailure(`The database process ${pid} does not end.`);
}

async function accepts(address: DatabaseAddress): Promise<boolean> {
  const client = new pg.Client(clientConfig(address));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** One run of the server's main process. */
export class Postmaster {
  readonly #options: PostmasterOptions;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: PostmasterOptions) {
    this.#options = options;
  }

  /** Resolves when the process is gone, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** @throws StartFailure with the end of the server's log. */
  async start(): Promise<void> {
    const { data, binaries, runAs, logFile, address, settings } = this.#options;
    const all = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openLog(logFile);
    if (process.platform === 'win32') {
      // pg_ctl gives up an administrator's rights, which the server refuses to run with.
      spawnSync(binaries.pgCtl, ['start', '-D', data, '-l', logFile, '-W', '-o', all.map((one) => `"${one}"`).join(' ')]);
    } else {
      // Detached: Ctrl+C reaches our process alone, which ends its requests first and the server after them.
      const child = spawn(binaries.postgres, ['-D', data, ...all], {
        ...runAs,
        cwd: data,
        env: serverEnvironment(),
        stdio: ['ignore', log, log],
        detached: true,
      });
      this.#child = child;
      this.#ended = new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.once('error', () => resolve());
      });
      child.unref();
    }
    closeSync(log);
    const until = Date.now() + START_MS;
    while (!(await accepts({ ...address, database: 'postgres' }))) {
      const gone =
        this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined);
      if (gone || Date.now() > until) {
        if (!gone) await this.stop();
        throw new StartFailure(`The embedded PostgreSQL did not start. The end of ${logFile}:\n${logTail(logFile)}`);
      }
      await pause(15);
    }
  }

  async stop(): Promise<void> {
    const pid = this.#child?.pid ?? orphanOf(this.#options.data);
    if (pid === null || pid === undefined) return;
    await stopServer(pid, this.#options.data, this.#options.binaries);
    await this.#ended;
  }
}
