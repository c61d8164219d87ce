import { existsSync, statfsSync } from 'node:fs';
import os from 'node:os';

const IN_MEMORY = '/dev/shm';
/** A run with all its databases stays far below; a container's usual 64 MB are no room. */
const ROOM = 6 * 1024 ** 3;

/**
 * Where data lie that nobody wants after the run: in memory where the machine offers a folder of it with room, for thousands of small
 * files are made and dropped with every database; else where the machine puts temporary files.
 */
export function throwAwayFolder(): string {
  if (!existsSync(IN_MEMORY)) return os.tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM && os.freemem() >= ROOM ? IN_MEMORY : os.tmpdir();
}
