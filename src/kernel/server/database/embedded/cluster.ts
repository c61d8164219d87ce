import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ignoreStep, type OnStep } from '../../start/steps.ts';
import { writeDurably } from '../../start/writeDurably.ts';
import { StartFailure } from '../../startFailure.ts';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './runAs.ts';

export const SUPERUSER = 'kangqiao';

export interface Cluster {
  /** PGDATA. */
  data: string;
  password: string;
}

/** The macOS and Windows C libraries know no C.UTF-8; PostgreSQL brings its own for sorting. */
const localeChoices: readonly (readonly string[])[] = [
  ['--locale=C.UTF-8'],
  [
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--lc-collate=C',
    '--lc-ctype=en_US.UTF-8',
    '--lc-messages=C',
    '--lc-monetary=C',
    '--lc-numeric=C',
    '--lc-time=C',
  ],
];

interface Ended {
  /** Null: the program could not be started, or was killed. */
  status: number | null;
  output: string;
}

/** Detached: Ctrl+C reaches our process alone, which ends when this step is done. */
const run = (program: string, words: readonly string[], options: { cwd: string; runAs: RunAs | undefined }) =>
  new Promise<Ended>((resolve) => {
    const child = spawn(program, words, {
      ...options.runAs,
      cwd: options.cwd,
      env: serverEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    child.on('error', (error) => resolve({ status: null, output: error.message }));
    child.on('close', (status) => resolve({ status, output }));
  });

/** Half-made clusters of interrupted starts; one whose initdb was left alone and still writes goes with a later start. */
function clearHalves(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('cluster.making'))) {
    try {
      rmSync(path.join(folder, name), { recursive: true, force: true });
    } catch {
      // being written
    }
  }
}

/**
 * Makes the database cluster at the first start, aside, and moves it into place whole: one of an interrupted start is made again.
 * Each start has a place of its own, because the initdb of one that was killed may go on for a moment.
 */
export async function ensureCluster(
  folder: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  onStep: OnStep = ignoreStep,
): Promise<Cluster> {
  const data = path.join(folder, 'cluster');
  const passwordFile = path.join(folder, 'password');
  clearHalves(folder);
  if (existsSync(path.join(data, 'PG_VERSION'))) {
    if (!existsSync(passwordFile))
      throw new StartFailure(`The file ${passwordFile} is missing; restore it from the backup of this folder.`);
    return { data, password: readFileSync(passwordFile, 'utf8').trim() };
  }
  onStep({ phase: 'cluster', name: data, at: 1, of: 1 });
  const password = randomBytes(24).toString('base64url');
  writeDurably(passwordFile, `${password}\n`, 0o600);
  if (runAs) chownSync(passwordFile, runAs.uid, runAs.gid);
  let output = '';
  for (const [choice, locale] of localeChoices.entries()) {
    const half = `${data}.making.${process.pid}-${choice}`;
    const made = await run(
      binaries.initdb,
      ['-D', half, '-U', SUPERUSER, '-E', 'UTF8', ...locale, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-instructions'],
      { cwd: folder, runAs },
    );
    if (made.status === 0) {
      renameSync(half, data);
      return { data, password };
    }
    rmSync(half, { recursive: true, force: true });
    output = made.output.trim();
    if (!output.includes('locale')) break;
  }
  throw new StartFailure(`The database could not be created in ${folder}: ${output || 'initdb was ended from outside'}`);
}

/** The server sees nothing of our environment but what it needs; PG* variables would change its behaviour. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  if (process.platform === 'win32') return process.env;
  return { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C.UTF-8' };
}
