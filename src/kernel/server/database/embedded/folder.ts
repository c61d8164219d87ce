import { createHash, randomBytes } from 'node:crypto';
import { accessSync, chownSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartFailure } from '../../startFailure.ts';
import { canWrite, type RunAs } from './runAs.ts';

const MAJOR = 18;
/** A socket's path has at most 103 bytes on every system; `/.s.PGSQL.5432.lock` needs 19 of them. */
const LONGEST_SOCKET_FOLDER = 84;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

const writable = (folder: string) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** For root alone: a folder that every account can enter, for what lies in a closed checkout. */
export function sharedFolder(): string {
  const found = ['/var/lib/kangqiao', '/var/tmp/kangqiao'].find(writable);
  if (!found)
    throw new StartFailure(
      'PostgreSQL does not run as root, and neither /var/lib nor /var/tmp can be written. Start as an ordinary user, or set DATABASE_URL.',
    );
  return found;
}

/** @throws StartFailure for a folder that is somebody else's. */
export function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EROFS')
      throw new StartFailure(
        `The folder ${folder} lies on a disk that can only be read. Mount it for writing, or set KANGQIAO_DATA_DIR to another folder.`,
      );
    throw new StartFailure(
      `The folder ${folder} belongs to another user (was the program started as root before?). Start as that user, give the folder to this one, or set KANGQIAO_DATA_DIR to another folder.`,
    );
  }
}

const pointerOf = (dataDir: string) => path.join(dataDir, 'postgres.location');

/** Where the database of this data folder already lies; null before the first start. */
export function existingFolder(dataDir: string): string | null {
  const pointer = pointerOf(dataDir);
  const folder = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : path.join(dataDir, `postgres-${MAJOR}`);
  return existsSync(path.join(folder, 'cluster', 'PG_VERSION')) ? folder : null;
}

/**
 * The folder of the database: in the data folder, or, where the server's account cannot enter that, in a
 * shared one; then `postgres.location` in the data folder says where.
 */
export function chooseFolder(dataDir: string, runAs: RunAs | undefined): string {
  const make = (folder: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    requireWritable(folder);
    if (runAs) chownSync(folder, runAs.uid, runAs.gid);
    return folder;
  };
  const existing = existingFolder(dataDir);
  if (existing && canWrite(existing, runAs)) return existing;
  if (existing)
    throw new StartFailure(
      `The database in ${existing} cannot be entered by its owner any more. Give back the right to enter the folders above it.`,
    );
  const own = make(path.join(dataDir, `postgres-${MAJOR}`));
  if (canWrite(own, runAs)) return own;
  rmdirSync(own);
  // A name of its own each time: somebody who deletes the data folder expects to begin anew.
  const shared = make(path.join(sharedFolder(), `data-${randomBytes(6).toString('hex')}`));
  if (!canWrite(shared, runAs))
    throw new StartFailure(`PostgreSQL cannot write to ${shared}. Start as an ordinary user, or set DATABASE_URL.`);
  writeFileSync(pointerOf(dataDir), `${shared}\n`);
  return shared;
}

/** A folder for the Unix socket: short, and closed to everybody else. */
export function socketFolder(folder: string, runAs: RunAs | undefined): string {
  const inside = path.join(folder, 'run');
  const goal = Buffer.byteLength(inside) <= LONGEST_SOCKET_FOLDER ? inside : path.join(os.tmpdir(), `kangqiao-${hashOf(folder)}`);
  mkdirSync(goal, { recursive: true, mode: 0o700 });
  if (runAs) chownSync(goal, runAs.uid, runAs.gid);
  return goal;
}
