import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartFailure } from '../../startFailure.ts';
import { alive, commandOf, pause, startMark } from './processes.ts';

/** A process that is just ending gives the folder back within this time. */
const PATIENCE_MS = 2_500;

interface Holder {
  pid: number;
  mark: string;
  machine: string;
  since: string;
  command: string;
}

const read = (file: string): Holder | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
};

/** A process of another machine (a container that is gone) cannot be asked; PostgreSQL's own lock still guards the data. */
const holds = (holder: Holder | null): holder is Holder =>
  holder !== null && holder.machine === os.hostname() && alive(holder.pid) && startMark(holder.pid) === holder.mark;

/**
 * Takes the data folder for this process.
 * @returns what gives it back.
 * @throws StartFailure naming the process that holds it.
 */
export async function holdFolder(dataDir: string, patienceMs = PATIENCE_MS): Promise<() => void> {
  const file = path.join(dataDir, 'kangqiao.lock');
  const mine = `${file}.${process.pid}`;
  const me: Holder = {
    pid: process.pid,
    mark: startMark(process.pid),
    machine: os.hostname(),
    since: new Date().toISOString(),
    command: commandOf(process.pid) || process.argv.join(' '),
  };
  writeFileSync(mine, JSON.stringify(me), { mode: 0o644 });
  const until = Date.now() + patienceMs;
  try {
    for (;;) {
      try {
        linkSync(mine, file); // fails when it exists: the only atomic step
        return () => {
          if (read(file)?.pid === process.pid) rmSync(file, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = read(file);
      if (holds(holder)) {
        if (Date.now() < until) {
          await pause(100);
          continue;
        }
        throw new StartFailure(
          `The data folder ${dataDir} is in use by process ${holder.pid} (${holder.command}), running since ${holder.since}. Stop it first (Ctrl+C there, or kill ${holder.pid}), or set KANGQIAO_DATA_DIR to another folder.`,
        );
      }
      // Left behind by a killed process. Somebody else may clear it at the same time, so what was moved away is looked at again.
      const moved = `${file}.old.${process.pid}`;
      try {
        renameSync(file, moved);
      } catch {
        continue;
      }
      if (holds(read(moved)) && !existsSync(file)) linkSync(moved, file);
      rmSync(moved, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}
