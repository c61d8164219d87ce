import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { clientConfig, type DatabaseAddress } from '../address.ts';
import { findBinaries } from './binaries.ts';
import { alive, waitForEnd } from './processes.ts';
import { chooseRunAs } from './runAs.ts';

interface Started {
  child: ChildProcess;
  address: DatabaseAddress;
  folder: string;
  pid: number;
}

const PROGRAM = path.join(import.meta.dirname, '../../../../testing/embeddedProcess.ts');
// The pinned Node, whatever the test runner was started with.
const NODE = path.join(import.meta.dirname, '../../../../../node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const root = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-embedded-'));
chmodSync(root, 0o711);
const asRoot = process.getuid?.() === 0;
const nobody = chooseRunAs(null);
const running: ChildProcess[] = [];
const shared: string[] = [];

/** Starts a process that holds the server of the folder; rejects with what it said when it refuses. */
function start(dataDir: string, options: Pick<ForkOptions, 'uid' | 'gid'> = {}): Promise<Started> {
  const child = fork(PROGRAM, [dataDir], {
    ...options,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    execArgv: [],
    execPath: NODE,
    cwd: '/',
  });
  running.push(child);
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve({ child, ...(message as Omit<Started, 'child'>) }));
    child.once('exit', () => reject(new Error(output)));
  });
}

const gone = (child: ChildProcess) =>
  new Promise<void>((resolve) => ((child.exitCode ?? child.signalCode) !== null ? resolve() : child.once('exit', () => resolve())));

async function end({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  await gone(child);
}

async function inDatabase<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(clientConfig(address));
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const count = (address: DatabaseAddress) =>
  inDatabase(address, async (client) => Number((await client.query('select count(*) from probe')).rows[0].count));

describe('embedded server', () => {
  afterEach(async () => {
    for (const child of running.splice(0)) {
      if ((child.exitCode ?? child.signalCode) === null) child.kill('SIGTERM');
      await gone(child);
    }
  });
  afterAll(() => {
    for (const folder of [root, ...shared]) rmSync(folder, { recursive: true, force: true });
  });

  it('refuses a second start on the folder and names the process that holds it', async () => {
    const dataDir = path.join(root, 'second');
    const first = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(new RegExp(`in use by process ${first.child.pid} \\(.*embeddedProcess`));
    expect(alive(first.pid)).toBe(true);
    await end(first);
    expect(alive(first.pid)).toBe(false);
    const next = await start(dataDir);
    expect(next.pid).not.toBe(first.pid);
  });

  it('loses nothing that was acknowledged when its process is killed while writing', async () => {
    const dataDir = path.join(root, 'killed');
    const first = await start(dataDir);
    await inDatabase(first.address, (client) => client.query('create table probe (id bigint generated always as identity, text text)'));
    let acknowledged = 0;
    const writers = Array.from({ length: 4 }, () =>
      inDatabase(first.address, async (client) => {
        for (;;) {
          await client.query(`insert into probe (text) values ('x')`);
          if (++acknowledged === 200) first.child.kill('SIGKILL');
        }
      }).catch(() => {}),
    );
    await gone(first.child);
    expect(alive(first.pid)).toBe(true); // the orphan
    const next = await start(dataDir);
    await Promise.all(writers);
    expect(alive(first.pid)).toBe(false);
    expect(await count(next.address)).toBeGreaterThanOrEqual(acknowledged);
    expect(acknowledged).toBeGreaterThanOrEqual(200);
  });

  it('starts the server again when it ends by itself', async () => {
    const first = await start(path.join(root, 'crash'));
    await inDatabase(first.address, (client) => client.query('create table probe (id int); insert into probe values (1)'));
    process.kill(first.pid, 'SIGKILL');
    await waitForEnd(first.pid, 10_000);
    await expect.poll(() => count(first.address).catch(() => null), { timeout: 20_000 }).toBe(1);
  });

  it('listens on a socket alone, with durable writes, and keeps trigrams of Chinese', async () => {
    const { address } = await start(path.join(root, 'settings'));
    await inDatabase(address, async (client) => {
      const shown = async (name: string) => (await client.query(`select current_setting($1) as value`, [name])).rows[0].value as string;
      expect(await shown('listen_addresses')).toBe('');
      expect(await shown('fsync')).toBe('on');
      expect(await shown('full_page_writes')).toBe('on');
      expect(await shown('server_encoding')).toBe('UTF8');
      await client.query('create extension pg_trgm');
      expect((await client.query(`select array_length(show_trgm('高血压'), 1) as length`)).rows[0].length).toBeGreaterThan(1);
    });
  });

  it('shows the end of the log when the server does not start', async () => {
    const dataDir = path.join(root, 'broken');
    const first = await start(dataDir);
    await end(first);
    rmSync(path.join(first.folder, 'cluster/global/pg_control'));
    await expect(start(dataDir)).rejects.toThrow(/did not start[\s\S]*logs\/postgres\.log[\s\S]*pg_control/);
  });

  it.runIf(asRoot)('runs under another account when started as root', async () => {
    const { pid, folder } = await start(path.join(root, 'as-root'));
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${nobody?.uid}\\s`, 'm'));
    expect(folder).toBe(path.join(root, 'as-root/postgres-18'));
    await expect(start(path.join(root, 'as-root'), { uid: 1, gid: 1 })).rejects.toThrow(/^The folder .*as-root belongs to another user/);
  });

  it.runIf(asRoot)('takes data and programs elsewhere when that account cannot enter the checkout, and finds them again', async () => {
    const home = path.join(root, 'home');
    mkdirSync(home, { mode: 0o700 });
    const first = await start(path.join(home, 'data'));
    shared.push(first.folder);
    expect(first.folder).toMatch(/^\/var\/(lib|tmp)\/kangqiao\/data-/);
    await inDatabase(first.address, (client) => client.query('create table probe (id int); insert into probe values (1)'));
    await end(first);
    chmodSync(home, 0o711); // open now, but the data lies where it lies
    const next = await start(path.join(home, 'data'));
    expect(next.folder).toBe(first.folder);
    expect(await count(next.address)).toBe(1);

    const native = path.join(path.dirname(path.dirname(findBinaries(undefined).postgres)), '..');
    chmodSync(home, 0o700);
    cpSync(native, path.join(home, 'package'), { recursive: true, verbatimSymlinks: true });
    expect(findBinaries(nobody, path.join(home, 'package/native')).postgres).toMatch(/^\/var\/(lib|tmp)\/kangqiao\/postgresql-/);
  });

  it.runIf(asRoot)('works as an ordinary user, also in a folder whose name is too long for a socket', async () => {
    const dataDir = path.join(root, `ordinary-${'x'.repeat(120)}`);
    mkdirSync(dataDir);
    chownSync(dataDir, nobody!.uid, nobody!.gid);
    const started = await start(dataDir, nobody);
    expect(statSync(started.folder).uid).toBe(nobody!.uid);
    await inDatabase(started.address, (client) => client.query('select 1'));
  });
});
