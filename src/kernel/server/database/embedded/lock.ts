import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartFailure } from '../../startFailure.ts';
import { alive, commandOf, pause, startMark } from './processes.ts';

/** A process that is just ending gives the folder back within this time. */
const PATIENCE_MS = 2_500;
/** The holder touches its lock this often … */
const BEAT_MS = 5_000;
/** … so one of another machine (a container on the same volume) that was not touched for this long is dead. */
const SILENCE_MS = 20_000;

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

/** A process of this machine is looked up; one of another machine cannot be, but it would have touched its lock. */
function holds(holder: Holder | null, file: string): holder is Holder {
  if (holder === null) return false;
  if (holder.machine === os.hostname()) return alive(holder.pid) && startMark(holder.pid) === holder.mark;
  return existsSync(file) && Date.now() - statSync(file).mtimeMs < SILENCE_MS;
}

function keepTouching(file: string): NodeJS.Timeout {
  const touch = () => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // the folder was deleted under the running program; its next start says so
    }
  };
  return setInterval(touch, BEAT_MS).unref();
}

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
  const began = Date.now();
  try {
    for (;;) {
      try {
        linkSync(mine, file); // fails when it exists: the only atomic step
        const beat = keepTouching(file);
        return () => {
          clearInterval(beat);
          if (read(file)?.pid === process.pid) rmSync(file, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = read(file);
      if (holds(holder, file)) {
        const patience = holder.machine === os.hostname() || patienceMs === 0 ? patienceMs : SILENCE_MS + BEAT_MS;
        if (Date.now() - began < patience) {
          await pause(100);
          continue;
        }
        throw new StartFailure(
          `The data folder ${dataDir} is in use by process ${holder.pid} (${holder.command})${holder.machine === os.hostname() ? '' : ` on ${holder.machine}`}, running since ${holder.since}. Stop it first (Ctrl+C there, or kill ${holder.pid}), or set KANGQIAO_DATA_DIR to another folder.`,
        );
      }
      // Left behind by a killed process. Somebody else may clear it at the same time, so what was moved away is looked at again.
      const moved = `${file}.old.${process.pid}`;
      try {
        renameSync(file, moved);
      } catch {
        continue;
      }
      if (holds(read(moved), moved) && !existsSync(file)) linkSync(moved, file);
      rmSync(moved, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}
