import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** A branch lands within a day: what is older than that is in somebody's database. */
const LANDED_AFTER_HOURS = 12;

/** Blobs of the migrations by their names. */
const blobsIn = (listed: string) =>
  new Map([...listed.matchAll(/^\d+ blob ([0-9a-f]+)\t(migrations\/.+)$/gm)].map(([, blob, file]) => [file!, blob!]));

/** A copy without git, or a clone without history, knows of nothing that landed. */
const hasHistory = () => {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: root, encoding: 'utf8' });
  return status === 0 && stdout.trim() === 'false';
};

it.runIf(hasHistory())('a migration that has landed is never edited', () => {
  const [head] = git('log', '-1', '--format=%ct').split('\n');
  const before = Number(head) - LANDED_AFTER_HOURS * 3600;
  const landed = git('rev-list', '-1', '--first-parent', `--before=${before}`, 'HEAD');
  const then = blobsIn(git('ls-tree', landed, 'migrations/'));
  expect(then.size).toBeGreaterThan(90);
  const changed = [...then].filter(([file, blob]) => git('hash-object', file) !== blob).map(([file]) => file);
  expect(changed, 'Restore it; changes go into a new migration').toEqual([]);
});
