import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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

/** Makes the database cluster at the first start; a half-made one of an interrupted start is made again. */
export function ensureCluster(folder: string, binaries: Binaries, runAs: RunAs | undefined): Cluster {
  const data = path.join(folder, 'cluster');
  const passwordFile = path.join(folder, 'password');
  if (existsSync(path.join(data, 'PG_VERSION'))) {
    if (!existsSync(passwordFile))
      throw new StartFailure(`The file ${passwordFile} is missing; restore it from the backup of this folder.`);
    return { data, password: readFileSync(passwordFile, 'utf8').trim() };
  }
  const half = `${data}.making`;
  rmSync(half, { recursive: true, force: true });
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  mkdirSync(half, { mode: 0o700 });
  if (runAs) for (const one of [passwordFile, half]) chownSync(one, runAs.uid, runAs.gid);
  let said = '';
  for (const locale of localeChoices) {
    rmSync(half, { recursive: true, force: true });
    const made = spawnSync(
      binaries.initdb,
      ['-D', half, '-U', SUPERUSER, '-E', 'UTF8', ...locale, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-instructions'],
      { ...runAs, cwd: folder, encoding: 'utf8', env: serverEnvironment() },
    );
    if (made.status === 0) {
      renameSync(half, data);
      return { data, password: readFileSync(passwordFile, 'utf8').trim() };
    }
    said = `${made.stderr ?? ''}${made.error?.message ?? ''}`.trim();
    if (!said.includes('locale')) break;
  }
  throw new StartFailure(`The database could not be created in ${folder}: ${said}`);
}

/** The server sees nothing of our environment but what it needs; PG* variables would change its behaviour. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  if (process.platform === 'win32') return process.env;
  return { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C.UTF-8' };
}
