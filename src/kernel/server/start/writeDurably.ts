import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A folder's entries survive a power cut once it is synced; not every system can do that. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes a file without which what comes next is lost: a power cut after the return takes nothing of it. */
export function writeDurably(file: string, text: string, mode: number): void {
  const handle = openSync(file, 'w', mode);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(path.dirname(file));
}
