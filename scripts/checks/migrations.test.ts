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

/** Whether a file was written once more when it was too old to be still on its branch; a branch may write it anew until it lands. */
function editedLate(file: string): boolean {
  const times = git('log', '--format=%ct', '--', file).split('\n').map(Number);
  const isCommitted = git('hash-object', file) === git('rev-parse', `HEAD:${file}`);
  const last = isCommitted ? times[0]! : Date.now() / 1000;
  return last - times.at(-1)! > LANDED_AFTER_HOURS * 3600;
}

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
  const changed = [...then].filter(([file, blob]) => git('hash-object', file) !== blob && editedLate(file)).map(([file]) => file);
  expect(changed, 'Restore it; changes go into a new migration').toEqual([]);
});
