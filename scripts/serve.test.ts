import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { findBinaries } from '#kernel/server/database/embedded/binaries.ts';
import { chooseRunAs } from '#kernel/server/database/embedded/runAs.ts';
import { buildBrowser } from './build/browser.ts';
import { startOwnServer } from './test/systemPostgres.ts';

interface Program {
  child: ChildProcess;
  address: string;
  output(): string;
  /** Waits until it has said this, or has ended. */
  says(text: string): Promise<void>;
  ended: Promise<number | null>;
}

/** Fewer than the connections that the program has to its database. */
const UNDER_WAY = 8;
const repository = path.join(import.meta.dirname, '..');
const NODE = path.join(repository, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const root = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-serve-'));
chmodSync(root, 0o711);
const ORIGIN = 'https://admin.example.com';
const running: Program[] = [];

/**
 * Starts the program as `npm start` does, without the demonstration, whose rows take most of a first start; resolves when it is ready or
 * has ended.
 */
async function serve(name: string, env: Record<string, string> = {}): Promise<Program> {
  const program = await spawnProgram('scripts/serve.ts', name, env);
  await program.says('Ctrl+C stops it');
  return { ...program, address: /is ready.*?(http:\/\/\S+)/.exec(program.output())?.[1] ?? '' };
}

async function spawnProgram(script: string, name: string, env: Record<string, string> = {}): Promise<Program> {
  await buildBrowser();
  const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(KANGQIAO|DATABASE|S3|SMS|REDIS)_/.test(key)));
  const child = spawn(NODE, [path.join(repository, script)], {
    cwd: repository,
    env: {
      ...own,
      KANGQIAO_DATA_DIR: path.join(root, name),
      KANGQIAO_MODE: 'production',
      KANGQIAO_PUBLIC_ORIGIN: ORIGIN,
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const listener of listeners) listener();
    });
  const says = async (text: string) => {
    const said = new Promise<void>((resolve) => {
      const listener = () => output.includes(text) && resolve();
      listeners.add(listener);
      listener();
    });
    await Promise.race([said, ended]);
  };
  const program: Program = { child, address: '', output: () => output, says, ended };
  running.push(program);
  return program;
}

/**
 * Data that an earlier start left when it was told to end, copied: what is tried on them is no first start. With their owners: the
 * database's files belong to another account.
 */
async function copyStarted(name: string): Promise<void> {
  const started = path.join(root, 'started');
  if (!existsSync(started)) {
    const first = await serve('started');
    expect(await statusOf(first)).toBe(200);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  }
  execFileSync('cp', ['-a', started, path.join(root, name)]);
}

/** `npm run admin:reset`, which also works while the program runs. */
const resetAdministrator = (name: string) =>
  execFileSync(NODE, [path.join(repository, 'scripts/adminReset.ts')], {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, KANGQIAO_DATA_DIR: path.join(root, name), KANGQIAO_MODE: 'test' },
  });

const statusOf = (program: Program) =>
  program.address === ''
    ? Promise.reject(new Error(program.output()))
    : fetch(`${program.address}/readyz`).then(
        (answer) => answer.status,
        () => null,
      );
const postmasterOf = (name: string) =>
  Number(readFileSync(path.join(root, name, 'postgres-18/cluster/postmaster.pid'), 'utf8').split('\n')[0]);

describe('the program as a process', () => {
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGTERM');
      await ended;
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('refuses a wrong configuration with one line per mistake, before it touches anything', async () => {
    const program = await serve('wrong', { PORT: 'x', KANGQIAO_MODE: 'production', KANGQIAO_CAPTCHA_ANSWER: 'aaaa' });
    expect(await program.ended).toBe(1);
    expect(program.output().match(/^ {2}- /gm)).toHaveLength(2);
    expect(program.output()).not.toContain(' at ');
    expect(existsSync(path.join(root, 'wrong'))).toBe(false);
  });

  it('tells a failure that nobody foresaw in a sentence, with what to do; its stack is in the log', async () => {
    mkdirSync(path.join(root, 'odd'));
    writeFileSync(path.join(root, 'odd/secrets'), 'a file where the folder of the key belongs');
    const program = await serve('odd');
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/The start failed while reading the key: .*secrets.*\.\nWhat was finished is kept: start again;/);
    expect(program.output()).not.toContain(' at ');
    expect(readFileSync(path.join(root, 'odd/logs/start.log'), 'utf8')).toContain(' at ');
    expect(existsSync(path.join(root, 'odd/postgres-18/cluster/postmaster.pid'))).toBe(false);
  });

  it('ends a start that is interrupted in one sentence with what to do, whoever interrupts it, and goes on at the next one', async () => {
    const tables = 'Preparing its tables: 10 of';
    const stopped = await spawnProgram('scripts/serve.ts', 'interrupted');
    await stopped.says(tables);
    stopped.child.kill('SIGINT');
    expect(await stopped.ended).toBe(0);
    expect(stopped.output()).toMatch(
      /\nThe start was stopped while .+\. What was finished is kept: start again, and it goes on from there\.\n$/,
    );

    const lost = await spawnProgram('scripts/serve.ts', 'interrupted');
    await lost.says('Preparing its tables:');
    process.kill(postmasterOf('interrupted'), 'SIGKILL');
    expect(await lost.ended).toBe(1);
    expect(lost.output()).toMatch(
      /\n(?:The migration .+ failed: .+\. Nothing of it was kept; start again when|The database was lost while .+\.\nWhat was finished is kept: )/,
    );
    expect(lost.output()).not.toMatch(/ at |^\{/m);

    const killed = await spawnProgram('scripts/start.mjs', 'interrupted');
    await killed.says('Preparing its tables:');
    process.kill(Number(/\d+/.exec(readFileSync(path.join(root, 'interrupted/kangqiao.lock'), 'utf8'))![0]), 'SIGKILL');
    expect(await killed.ended).toBe(137);
    expect(killed.output()).toMatch(/\nThe program was killed from outside.* What was finished is kept: make room, and start again\.\n$/);

    expect(await statusOf(await serve('interrupted'))).toBe(200);
  });

  it('refuses a taken port and stops its database again', async () => {
    await copyStarted('port');
    await copyStarted('port-too');
    const first = await serve('port');
    const second = await serve('port-too', { PORT: new URL(first.address).port });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain('The port is taken');
    expect(existsSync(path.join(root, 'port-too/postgres-18/cluster/postmaster.pid'))).toBe(false);
  });

  it('starts, serves, refuses a second one on the same data, stops cleanly, and starts again with its own key alone', async () => {
    const first = await serve('data');
    expect(await statusOf(first)).toBe(200);
    expect(await fetch(first.address, { headers: { accept: 'text/html' } }).then((answer) => answer.text())).toContain('kangqiao-config');
    const second = await serve('data');
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`in use by process ${first.child.pid}`);

    expect(resetAdministrator('data')).toMatch(/用户名 {2}admin\n {2}密码 {4}\S{20}\n/);

    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(existsSync(path.join(root, 'data/kangqiao.lock'))).toBe(false);
    expect(existsSync(path.join(root, 'data/postgres-18/cluster/postmaster.pid'))).toBe(false);

    const other = await serve('data', { KANGQIAO_KEY: Buffer.alloc(32, 3).toString('base64') });
    expect(await other.ended).toBe(1);
    expect(other.output()).toContain('The key is not the one');
    expect(await statusOf(await serve('data'))).toBe(200);
  });

  it('goes on by itself after its database was killed, and after it was killed itself', async () => {
    await copyStarted('faults');
    const first = await serve('faults');
    process.kill(postmasterOf('faults'), 'SIGKILL');
    await expect.poll(() => statusOf(first), { timeout: 20_000, interval: 20 }).toBe(503);
    await expect.poll(() => statusOf(first), { timeout: 20_000 }).toBe(200);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await statusOf(await serve('faults'))).toBe(200);
  });

  it('answers what is under way when it is told to end, takes nothing new, and ends well', async () => {
    const server = await startOwnServer(findBinaries(chooseRunAs(null)));
    const db = new pg.Client({ connectionString: server.url });
    try {
      const program = await serve('drain', { DATABASE_URL: server.url, KANGQIAO_KEY: Buffer.alloc(32, 6).toString('base64') });
      await db.connect();
      // Requests stand still in the middle of their work for as long as this lock is held.
      await db.query('begin; lock table identity_captcha in access exclusive mode');
      const ask = () => fetch(`${program.address}/admin/UserInfoService/captcha`).then((answer) => answer.json());
      const answers = Array.from({ length: UNDER_WAY }, ask);
      const waiting = 'select count(*)::int as n from pg_locks where not granted and relation = $1::regclass';
      await expect
        .poll(async () => (await db.query<{ n: number }>(waiting, ['identity_captcha'])).rows[0]?.n, { timeout: 20_000 })
        .toBe(UNDER_WAY);
      program.child.kill('SIGTERM');
      await expect.poll(() => statusOf(program), { timeout: 20_000 }).toBe(null);
      await db.query('commit');
      expect(await Promise.all(answers)).toEqual(Array.from({ length: UNDER_WAY }, () => expect.objectContaining({ code: '0000000' })));
      expect(await program.ended, program.output()).toBe(0);
    } finally {
      await db.end();
      await server.close();
    }
  });

  it('works on a server of one’s own by URL, says so while that is away, and goes on when it is back', async () => {
    const server = await startOwnServer(findBinaries(chooseRunAs(null)));
    try {
      const program = await serve('url', { DATABASE_URL: server.url, KANGQIAO_KEY: Buffer.alloc(32, 5).toString('base64') });
      expect(await statusOf(program)).toBe(200);
      expect(existsSync(path.join(root, 'url/postgres-18'))).toBe(false);
      await server.postmaster.stop();
      expect(await statusOf(program)).toBe(503);
      const refused = await fetch(`${program.address}/admin/UserInfoService/captcha`);
      expect(refused.status).toBe(200);
      expect(await refused.json()).toMatchObject({ code: 'SCM90060', message: '服务暂时不可用，请稍后重试' });
      await server.postmaster.start();
      await expect.poll(() => statusOf(program), { timeout: 20_000 }).toBe(200);
      expect(await fetch(`${program.address}/admin/UserInfoService/captcha`).then((answer) => answer.json())).toMatchObject({
        code: '0000000',
      });
    } finally {
      await server.close();
    }
  });
});
