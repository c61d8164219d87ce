import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../e2e/browser.ts';
import { addressUrl } from '#kernel/server/database/address.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';

const repository = path.join(import.meta.dirname, '..');
const LOGIN = 'src/domains/identity/web/entry/Login.tsx';
const REFUSAL = 'src/kernel/server/http/browser.ts';

let copy: string;
let database: TestDatabase;
let browser: Browser;
let program: ChildProcess;
let address: string;
let output = '';

/** The sources as they are, where a test may change them. */
function copySources(): void {
  copy = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-dev-'));
  for (const one of ['src', 'scripts', 'migrations', 'package.json', 'vite.config.ts'])
    cpSync(path.join(repository, one), path.join(copy, one), { recursive: true });
  mkdirSync(path.join(copy, 'node_modules'));
  for (const one of readdirSync(path.join(repository, 'node_modules')).filter((name) => !name.startsWith('.')))
    symlinkSync(path.join(repository, 'node_modules', one), path.join(copy, 'node_modules', one), 'junction');
}

/** An engineer's keystrokes: the text stands once in the file. */
function change(file: string, from: string, to: string): void {
  const parts = readFileSync(path.join(copy, file), 'utf8').split(from);
  expect(parts, `${from} in ${file}`).toHaveLength(2);
  writeFileSync(path.join(copy, file), parts.join(to));
}

beforeAll(async () => {
  copySources();
  [database, browser] = await Promise.all([createTestDatabase(), launchBrowser()]);
  program = spawn(process.execPath, [path.join(copy, 'scripts/dev.ts')], {
    cwd: copy,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      KANGQIAO_DATA_DIR: path.join(copy, 'data'),
      KANGQIAO_MODE: 'production',
      KANGQIAO_KEY: Buffer.alloc(32, 7).toString('base64'),
      KANGQIAO_PUBLIC_ORIGIN: 'http://127.0.0.1',
      DATABASE_URL: addressUrl(database.address),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  address = await new Promise<string>((resolve, reject) => {
    for (const stream of [program.stdout, program.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /is ready.*?(http:\/\/\S+)/.exec(output)?.[1];
        if (found && output.includes('Ctrl+C stops it')) resolve(found);
      });
    program.once('exit', () => reject(new Error(output)));
  });
});
afterAll(async () => {
  const ended = new Promise((resolve) => program.once('exit', resolve));
  if (program.exitCode === null && program.kill('SIGTERM')) await ended;
  await browser.close();
  await database.close();
  rmSync(copy, { recursive: true, force: true });
});

it('a changed label is in the open page, with what was typed there; a changed server answers at the same address', async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  await page.goto(`${address}/login`, { timeout: 120_000 });
  await page.getByLabel('用户名').fill('someone', { timeout: 60_000 });
  change(LOGIN, 'label="用户名"', 'label="工号或用户名"');
  await page.getByLabel('工号或用户名').waitFor();
  expect(await page.getByLabel('工号或用户名').inputValue()).toBe('someone');

  const unknown = async () =>
    ((await (await fetch(`${address}/admin/None/none`, { headers: { accept: 'application/json' } })).json()) as { message: string })
      .message;
  expect(await unknown()).toBe('接口不存在，请刷新页面后重试');
  change(REFUSAL, '接口不存在，请刷新页面后重试', '没有这个接口');
  await expect.poll(unknown, { timeout: 60_000 }).toBe('没有这个接口');
  // The page that is open speaks with the new server, over the same address.
  await expect.poll(() => page.evaluate(async () => (await fetch('/healthz')).status)).toBe(200);
  expect(faults).toEqual([]);
});
