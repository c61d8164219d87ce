import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextMinute } from '../e2e/clock.ts';
import { clientConfig } from '#kernel/server/database/address.ts';
import { runningAddress, startEmbedded, stopAbandoned } from '#kernel/server/database/embedded/embedded.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { demoTemplate } from '#testing/demoTemplate.ts';
import { TEST_NOW } from '#testing/globalSetup.ts';
import { look, type Look } from '#testing/look.ts';
import { buildBrowser } from './build/browser.ts';
import { FIRST_START } from './test/firstStart.ts';

const repository = path.join(import.meta.dirname, '..');
const NODE = path.join(repository, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const root = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-first-'));
chmodSync(root, 0o711);
const dataDir = path.join(root, 'data');
/** Ten starts of the program with its server, on a machine that may do other things too. */
const PATIENCE = 1_200_000;

interface Start {
  pid: number;
  output(): string;
  /** Resolves when it has said this. @throws what it said instead, when it ends without. */
  says(text: string): Promise<void>;
  /** Its code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

/** Where the finished data is left for the journeys, when all of `npm test` runs. */
const kept = process.env[FIRST_START];

const running = new Map<number, Promise<number | NodeJS.Signals>>();

/** A start as `npm start` makes it, in a process group of its own as a terminal gives it one. */
function start(env: Record<string, string> = {}): Start {
  const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(KANGQIAO|DATABASE|S3|SMS|REDIS)_/.test(key)));
  const child = spawn(NODE, [path.join(repository, 'scripts/serve.ts')], {
    cwd: repository,
    env: {
      ...own,
      KANGQIAO_DATA_DIR: dataDir,
      KANGQIAO_MODE: 'test',
      KANGQIAO_CLOCK: TEST_NOW,
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const pid = child.pid!;
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const listener of listeners) listener();
    });
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('close', (code, signal) => {
      running.delete(pid);
      resolve(signal ?? code ?? 'SIGKILL');
    }),
  );
  running.set(pid, ended);
  return {
    pid,
    output: () => output,
    says: (text) =>
      new Promise((resolve, reject) => {
        const listen = () => output.includes(text) && resolve();
        listeners.add(listen);
        listen();
        void ended.then(() => reject(new Error(`It did not say "${text}" but:\n${output}`)));
      }),
    ended,
  };
}

/** Between two starts, with no server running: whoever writes this table next (null: none) sleeps in it until it is killed. */
async function sleepOnWrite(table: string | null): Promise<void> {
  const server = await startEmbedded({ dataDir, log: silentLogger });
  const client = new pg.Client(clientConfig(server.address));
  try {
    await client.connect();
    await client.query('drop function if exists held_by_test() cascade');
    if (table) {
      await client.query(
        `create function held_by_test() returns trigger language plpgsql as $$ begin perform pg_sleep(3600); return null; end $$`,
      );
      await client.query(`create trigger held_by_test before insert on ${table} execute function held_by_test()`);
    }
  } finally {
    await client.end();
    await server.stop();
  }
}

/**
 * Waits until the start sleeps in its table, with everything that it wrote before uncommitted. @throws what it said, when it ends
 * instead.
 */
async function asleep(one: Start): Promise<void> {
  const address = runningAddress(dataDir);
  if (!address) throw new Error('no server runs');
  const client = new pg.Client(clientConfig(address));
  await client.connect();
  try {
    const sleeping = async () => (await client.query(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount;
    let ended = false;
    void one.ended.then(() => (ended = true));
    await expect.poll(async () => ended || (await sleeping()), { interval: 20, timeout: PATIENCE }).not.toBe(0);
    if (ended) throw new Error(`It ended (${await one.ended}) instead of sleeping in its table:\n${one.output()}`);
  } finally {
    await client.end();
  }
}

const postmasterOf = (folder: string) =>
  Number(readFileSync(path.join(folder, 'postgres-18/cluster/postmaster.pid'), 'utf8').split('\n')[0]);

interface Moment {
  name: string;
  signal: 'SIGINT' | 'SIGKILL';
  /** The database is killed with it, as by a power cut. */
  crash?: true;
  /** A table in which the start stops, however slowly this program follows it. */
  sleepsIn?: string;
  reached(start: Start): Promise<void>;
}

/** In the middle of a demonstration. @param table which it writes late */
const amid = (name: string, table: string): Moment => ({
  name,
  signal: 'SIGKILL',
  sleepsIn: table,
  async reached(start) {
    await start.says('Writing demonstration data');
    await asleep(start);
  },
});

/**
 * A moment of each part of a first start, in its order: each start goes on from where the one before was interrupted. That whatever is
 * written of a part is gone with its transaction is proved in process (`demonstration.test.ts`, `migrator.test.ts`, `upgrade.test.ts`).
 */
const moments: readonly Moment[] = [
  {
    name: 'while the database is created',
    signal: 'SIGKILL',
    async reached({ says }) {
      await says('Creating the database');
      // Or it is done already, where this program was slow to look.
      const begun = () => globSync(path.join(dataDir, 'postgres-18/cluster{,.making*}/base')).length;
      await expect.poll(begun, { interval: 5, timeout: PATIENCE }).toBe(1);
    },
  },
  { name: 'at the first table', signal: 'SIGKILL', crash: true, reached: ({ says }) => says('Preparing its tables: 1 of') },
  { name: 'between the tables', signal: 'SIGINT', reached: ({ says }) => says('Preparing its tables: 10 of') },
  { name: 'in the reference data', signal: 'SIGINT', reached: ({ says }) => says('Writing reference data') },
  { name: 'with the first people', signal: 'SIGKILL', crash: true, reached: ({ says }) => says('(identity)') },
  { name: 'among the medicines', signal: 'SIGINT', reached: ({ says }) => says('(pharma)') },
  amid('among the doctors and their stored certificates', 'doctor_assistant'),
  amid('among the settlements of cards', 'card_settlement_line'),
];

const filesIn = (folder: string): number =>
  readdirSync(path.join(folder, 'files'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length;

describe('a first start', () => {
  let taken: Server;
  let finished = false;

  beforeAll(async () => {
    await buildBrowser();
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  }, PATIENCE);
  afterAll(async () => {
    for (const [pid, ended] of running) {
      process.kill(-pid, 'SIGKILL');
      await ended;
    }
    if (existsSync(dataDir)) await stopAbandoned(dataDir);
    // With its owners: the database's files belong to another account.
    if (kept && finished) execFileSync('cp', ['-a', dataDir, kept]);
    taken.close();
    rmSync(root, { recursive: true, force: true });
  });

  it(
    'goes on after an interruption at any moment; what was under way then is not there, and in the end nothing is missing',
    async () => {
      const left: { name: string; seen: Look }[] = [];
      for (const { name, signal, crash, sleepsIn, reached } of moments) {
        if (sleepsIn) await sleepOnWrite(sleepsIn);
        const one = start();
        await reached(one);
        process.kill(-one.pid, signal);
        const code = await one.ended;
        const said = one.output().includes('What was finished is kept: start again, and it goes on from there.');
        expect({ name, code, said, faults: /^.*( at |rror|failed).*$/m.exec(one.output())?.[0] }).toEqual({
          name,
          code: signal === 'SIGINT' ? 0 : signal,
          // Who is killed says nothing any more; `npm start` does (scripts/serve.test.ts).
          said: signal === 'SIGINT',
          faults: undefined,
        });
        const address = runningAddress(dataDir);
        const seen = address && (await look(address));
        if (seen) left.push({ name, seen });
        if (crash) process.kill(postmasterOf(dataDir), 'SIGKILL');
      }

      await sleepOnWrite(null);
      // Everything is written, then the port turns out to be taken: nothing is delivered yet that the counts would show.
      const refused = start({ PORT: String((taken.address() as AddressInfo).port) });
      expect(await refused.ended, refused.output()).toBe(1);
      expect(refused.output()).toContain('The port is taken by another program');
      const server = await startEmbedded({ dataDir, log: silentLogger });
      const end = await look(server.address).finally(() => server.stop());

      // What a start writes that nothing interrupts.
      const { looks, dataDir: whole } = await demoTemplate(TEST_NOW);
      expect(end).toEqual(looks.at(-1));
      expect(filesIn(dataDir)).toBe(filesIn(whole));
      const comparable = left.filter(({ seen }) => seen.references === end?.references);
      for (const { name, seen } of comparable) expect({ name, ...seen }).toEqual({ name, ...looks[seen.demonstrations.length] });
      expect(new Set(comparable.map(({ seen }) => seen.demonstrations.length)).size).toBeGreaterThanOrEqual(3);

      const ready = start();
      await ready.says('is ready');
      expect(ready.output()).not.toMatch(/Creating|Preparing|Writing/);
      finished = true;
      if (!kept) return;
      // The journeys begin where everybody has heard of what the demonstration published.
      await ready.says('Ctrl+C stops it');
      await nextMinute(/is ready.*?(http:\/\/\S+)/.exec(ready.output())![1]!);
    },
    PATIENCE,
  );
});
