import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Config } from '#kernel/server/config/config.ts';
import { DatabaseAway } from '#kernel/server/database/away.ts';
import { StartFailure } from '#kernel/server/startFailure.ts';
import { testConfig } from '#testing/testConfig.ts';
import { describeFailure, describeStop } from './failure.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-failure-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const at = '2026-11-21T02:00:00.000Z';
const doing = 'writing demonstration data, 8 of 11 (doctor)';
const described = (error: unknown, config: Config | null) => describeFailure({ error, config, doing, at });
const log = path.join(dataDir, 'logs/start.log');

it('what is known says what to do by itself; a taken port names the variable', () => {
  expect(described(new StartFailure('The folder belongs to another user. Start as that user.'), testConfig(dataDir))).toBe(
    'The folder belongs to another user. Start as that user.',
  );
  const taken = Object.assign(new Error('listen EADDRINUSE: address already in use 127.0.0.1:8080'), { code: 'EADDRINUSE' });
  expect(described(taken, testConfig(dataDir))).toMatch(/^The port is taken by another program: .*8080\. Set PORT to another one\.$/);
});

it('a full disk is called that, whoever noticed it', () => {
  const written = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const migrated = new StartFailure('The migration a.sql failed: could not write to file "pg_wal/x": No space left on device.');
  for (const error of [written, migrated])
    expect(described(error, testConfig(dataDir))).toBe(
      `The disk is full (noticed while ${doing}; the data lies in ${dataDir}). Make room on it and start again: what was finished is kept.`,
    );
});

it('a lost database and a start that was stopped say that what was finished is kept', () => {
  const lost = new Error('the demonstration', { cause: new DatabaseAway('Connection terminated unexpectedly') });
  for (const error of [new DatabaseAway('Connection terminated unexpectedly'), lost])
    expect(described(error, testConfig(dataDir))).toBe(
      `The database was lost while ${doing}: ${error.message}.\n` +
        `What was finished is kept: see that the database runs, and start again; the details are in ${log}.`,
    );
  expect(describeStop(doing)).toBe(
    `The start was stopped while ${doing}. What was finished is kept: start again, and it goes on from there.`,
  );
});

it('anything else is a sentence with the reason and one with what to do; its stack is in the log', () => {
  const error = new Error('duplicate key value violates unique constraint "doctor_doctor_mobile"\nsecond line', {
    cause: 'the whole story',
  });
  expect(described(error, testConfig(dataDir))).toBe(
    'The start failed while writing demonstration data, 8 of 11 (doctor): duplicate key value violates unique constraint "doctor_doctor_mobile".\n' +
      `What was finished is kept: start again; or, to begin anew without what it holds, remove the folder ${dataDir}; if it fails again, hand ${log} to whoever maintains the program.`,
  );
  const kept = readFileSync(log, 'utf8');
  for (const part of [at, doing, 'second line', 'failure.test.ts', 'the whole story']) expect(kept).toContain(part);
});

it.each<[string, Partial<Config>]>([
  ['in production', { mode: 'production' }],
  ['on a database of one’s own', { databaseUrl: 'postgres://x/y' }],
])('nobody is told to remove data %s', (_where, change) => {
  expect(described(new Error('x'), { ...testConfig(dataDir), ...change })).not.toContain('remove');
});

it('where no log can be written the sentence stands alone', () => {
  expect(described(new Error('x'), { ...testConfig(path.join(log, 'below')), mode: 'production' })).toBe(
    `The start failed while ${doing}: x.\nWhat was finished is kept: start again; if it fails again, hand this sentence to whoever maintains the program.`,
  );
});
