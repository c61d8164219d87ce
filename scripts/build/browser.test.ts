import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearAbandoned, holdsBuild, moveIntoPlace } from './browser.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-build-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);
const build = (name: string, hash: string | null) => {
  mkdirSync(at(name));
  writeFileSync(at(`${name}/index.html`), hash ?? '');
  if (hash !== null) writeFileSync(at(`${name}/.build-id`), hash);
};

it('a build that was killed is cleared away by the next one, and one that is going on is left alone', () => {
  build('kangqiao-dist-4194305-new', null);
  build(`kangqiao-dist-${process.pid}-new`, null);
  clearAbandoned(folder);
  expect([existsSync(at('kangqiao-dist-4194305-new')), existsSync(at(`kangqiao-dist-${process.pid}-new`))]).toEqual([false, true]);
});

it('a build is in its place whole or not at all, whatever was there', () => {
  build('fresh', 'b');
  expect(holdsBuild(at('dist'), 'b')).toBe(false); // an interruption between the moves leaves nothing: it is built again
  moveIntoPlace(at('fresh'), at('dist'), at('old'));
  expect([holdsBuild(at('dist'), 'b'), holdsBuild(at('dist'), 'a')]).toEqual([true, false]);
  build('fresh', 'c');
  moveIntoPlace(at('fresh'), at('dist'), at('old'));
  expect([readFileSync(at('dist/index.html'), 'utf8'), readFileSync(at('old/index.html'), 'utf8')]).toEqual(['c', 'b']);
});
