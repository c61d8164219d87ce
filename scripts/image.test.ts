import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { expect, it } from 'vitest';
import { findBinaries } from '#kernel/server/database/embedded/binaries.ts';
import { chooseRunAs } from '#kernel/server/database/embedded/runAs.ts';
import { buildBrowser } from './build/browser.ts';
import { freePort, startOwnServer } from './test/systemPostgres.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Whether Docker would send the file to the builder: the last line that names it, or a folder around it, decides. */
function isSent(file: string): boolean {
  let sent = true;
  for (const line of read('.dockerignore').split('\n')) {
    const pattern = line.replace(/^!/, '');
    if (pattern === '' || pattern.startsWith('#')) continue;
    const source = pattern
      .split('/')
      .map((part) => (part === '**' ? '(?:.*/)?' : `${part.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}/`))
      .join('')
      .replace(/\/$/, '');
    if (new RegExp(`^${source}(?:/|$)`).test(file)) sent = line.startsWith('!');
  }
  return sent;
}

/** The image's application folder: what is sent, built, and packages for production without those that the Dockerfile removes. */
async function makeApplication(folder: string): Promise<void> {
  await buildBrowser();
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter(isSent);
  for (const file of files) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
  cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true });
  const removed = [...read('Dockerfile').matchAll(/node_modules\/\S+/g)].map(([name]) => name);
  const { packages } = JSON.parse(read('node_modules/.package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
  const inside = (name: string, folders: readonly string[]) => folders.some((one) => name === one || name.startsWith(`${one}/`));
  const development = Object.keys(packages).filter((name) => packages[name]?.dev);
  const installed = execFileSync('find', ['node_modules', '-mindepth', '1', '(', '-type', 'f', '-o', '-type', 'l', ')'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const left = [
    ...removed,
    ...development,
    'node_modules/.bin',
    'node_modules/.vite',
    'node_modules/.vite-temp',
    'node_modules/.vitest-cache',
  ];
  const folders = new Set<string>();
  for (const file of installed.trim().split('\n')) {
    if (inside(file, left) || file.includes('/.bin/')) continue;
    const place = path.join(folder, path.dirname(file));
    if (!folders.has(place)) mkdirSync(place, { recursive: true });
    folders.add(place);
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
}

/** The environment that compose gives to a node, with what an operator writes into `.env`. */
function composeEnvironment(given: Record<string, string>): Record<string, string> {
  const [, block = ''] = /\n {2}environment: &environment\n((?: {4}.*\n)+)/.exec(read('compose.yaml')) ?? [];
  return Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => {
        const [, name = '', value = ''] = /^\s*(\w+): (.*)$/.exec(line) ?? [];
        return [name, value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => given[variable] ?? '')];
      }),
  );
}

it('sends neither secrets nor tests, data and documents to the builder', () => {
  const kept = ['.env', '.env.production', 'data/secrets/master.key', '.git/config', 'README.md', 'docs/design/codes.csv', 'bench/run.ts'];
  const tests = [
    'src/kernel/contract/values.test.ts',
    'src/testing/staff.ts',
    'src/domains/card/server/testing/world.ts',
    'scripts/test/run.ts',
  ];
  expect([...kept, ...tests, 'e2e/login.test.ts', 'node_modules/pg/package.json'].filter(isSent)).toEqual([]);
  expect(['src/server.ts', 'migrations/x.sql', 'scripts/serve.ts', 'scripts/backup.ts', 'package.json', '.npmrc'].every(isSent)).toBe(true);
});

it('uses the Node that npm start runs on', () => {
  const { node } = (JSON.parse(read('package.json')) as { dependencies: Record<string, string> }).dependencies;
  expect([...read('Dockerfile').matchAll(/^FROM node:(\S+?)-slim/gm)].map(([, version]) => version)).toEqual([node, node]);
});

// Without an engine to run it: the same folder, packages, environment and rights.
it('starts as the image does: production packages, an unprivileged user, a folder that is not its own, Redis not there yet', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-image-'));
  const [application, data] = ['app', 'data'].map((name) => path.join(folder, name)) as [string, string];
  const account = chooseRunAs(null) ?? null;
  for (const one of [application, data]) mkdirSync(one);
  chmodSync(folder, 0o755);
  await makeApplication(application);
  if (account) chownSync(data, account.uid, account.gid);
  else execFileSync('find', [application, '-type', 'd', '-exec', 'chmod', 'a-w', '{}', '+']);
  const [port, redisPort] = [await freePort(), await freePort()];
  const bucket = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: path.join(folder, 's3'),
    configureBuckets: [{ name: 'files' }],
  });
  const { port: s3Port } = await bucket.run();
  const server = await startOwnServer(findBinaries(chooseRunAs(null)));
  const environment = composeEnvironment({
    KANGQIAO_KEY: Buffer.alloc(32, 7).toString('base64'),
    KANGQIAO_PUBLIC_ORIGIN: 'https://admin.example.com',
    POSTGRES_PASSWORD: 'unused',
    S3_ENDPOINT: `http://127.0.0.1:${s3Port}`,
    S3_REGION: 'us-east-1',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  });
  const [, command = '[]'] = /^CMD (.*)$/m.exec(read('Dockerfile')) ?? [];
  const [, ...words] = JSON.parse(command) as string[];
  // The account may not be let in where this process's own Node lies.
  const node = path.join(folder, 'node');
  copyFileSync(process.execPath, node);
  const child = spawn(node, words, {
    cwd: application,
    env: {
      ...environment,
      DATABASE_URL: server.url,
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      KANGQIAO_DATA_DIR: data,
      NODE_COMPILE_CACHE: path.join(data, 'compiled'),
      TMPDIR: os.tmpdir(),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ctrl+C stops it')) resolve();
      });
    }
  });
  try {
    await Promise.race([ready, ended]);
    const statusOf = (place: string) => fetch(`http://127.0.0.1:${port}${place}`).then(({ status }) => status);
    expect(await statusOf('/readyz').catch(() => output)).toBe(200);
    expect(await statusOf('/login')).toBe(200);
    expect(output).toContain('Redis is not reached');
    expect(statSync(path.join(data, 'first-login.txt')).mode & 0o777).toBe(0o600);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await ended;
    await server.close();
    await bucket.close();
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});
