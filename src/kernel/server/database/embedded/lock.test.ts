import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdFolder } from './lock.ts';

describe('holdFolder', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-lock-'));
    file = path.join(folder, 'kangqiao.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const leave = (change: Record<string, unknown>, secondsAgo = 0) => {
    writeFileSync(
      file,
      JSON.stringify({ pid: process.pid, mark: 'other', machine: os.hostname(), since: 'then', command: 'x', ...change }),
    );
    const at = new Date(Date.now() - secondsAgo * 1000);
    utimesSync(file, at, at);
  };

  it('is refused while held, by this process too, and free after the release', async () => {
    const release = await holdFolder(folder, 0);
    await expect(holdFolder(folder, 0)).rejects.toThrow(`in use by process ${process.pid}`);
    release();
    expect(existsSync(file)).toBe(false);
    (await holdFolder(folder, 0))();
  });

  it.each([
    ['a process that is gone', { pid: 2 ** 22 + 1 }, 0],
    ['a later process of the same number', { pid: process.pid, mark: 'an earlier one' }, 0],
    ['another machine that was silent for long', { machine: 'elsewhere' }, 60],
  ])('takes over from %s', async (_, change, secondsAgo) => {
    leave(change, secondsAgo);
    const release = await holdFolder(folder, 0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, machine: os.hostname() });
    release();
  });

  it('leaves the folder to a living holder on another machine', async () => {
    leave({ machine: 'elsewhere', pid: 7 });
    await expect(holdFolder(folder, 0)).rejects.toThrow('in use by process 7 (x) on elsewhere');
  });

  it('gives the folder to one of many that find a dead lock together', async () => {
    leave({ pid: 2 ** 22 + 1 });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => holdFolder(folder, 0)));
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });
});
