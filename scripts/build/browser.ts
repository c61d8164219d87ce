import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { copyAmis } from './amis.ts';
import { alive } from '#kernel/server/database/embedded/processes.ts';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');
const STAMP = '.build-id';
const ASIDE = 'kangqiao-dist-';

/** Hash of everything that goes into the browser part. */
function browserSourcesHash(): string {
  const files = globSync(
    [
      'src/**/*.{ts,tsx,css,html,svg,json,woff2}',
      'src/web/public/**/*',
      'vite.config.ts',
      'scripts/build/spokenTexts.ts',
      'scripts/build/together.ts',
      'scripts/build/amis.ts',
      'package-lock.json',
    ],
    { cwd: root },
  )
    .filter((file) => !/(^|[/\\])server([/\\]|\.ts$)|\.(test|cases)\.tsx?$|[/\\]testing[/\\]/.test(file) && path.extname(file) !== '')
    .sort();
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** Compresses what is worth it once, so that no request does. */
function compress(folder: string): void {
  for (const file of globSync('**/*.{js,css,html,svg,json}', { cwd: folder })) {
    const full = path.join(folder, file);
    const body = readFileSync(full);
    // The pages are filled in at start and answered from memory.
    if (body.length < 1024 || (!file.includes('/') && file.endsWith('.html')) || file.startsWith('.vite')) continue;
    writeFileSync(`${full}.gz`, gzipSync(body, { level: 9 }));
    writeFileSync(
      `${full}.br`,
      brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    );
  }
}

const runVite = (folder: string) =>
  new Promise<void>((resolve, reject) => {
    const vite = spawn(
      process.execPath,
      [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'],
      {
        cwd: root,
        env: { ...process.env, NODE_ENV: 'production' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [vite.stdout, vite.stderr]) stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    vite.on('error', reject);
    vite.on('exit', (code) => {
      if (code === 0) return resolve();
      const reason = output.trim().split('\n')[0] || 'the builder was ended from outside';
      reject(new Error(`The browser part could not be built: ${reason}`, { cause: output }));
    });
  });

/** Whether the folder holds the build of these sources; the stamp comes with the rest, so there is never half of it. */
export function holdsBuild(folder: string, hash: string): boolean {
  const stamp = path.join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

/** Folders of builds that were killed. */
export function clearAbandoned(cache: string): void {
  for (const name of readdirSync(cache).filter((one) => one.startsWith(ASIDE))) {
    if (!alive(Number(name.slice(ASIDE.length).split('-')[0]))) rmSync(path.join(cache, name), { recursive: true, force: true });
  }
}

/** Puts a finished build in the place of the one before; when another process does the same at this moment, either may stand there. */
export function moveIntoPlace(fresh: string, place: string, old: string): void {
  if (existsSync(place)) renameSync(place, old);
  try {
    renameSync(fresh, place);
  } catch (error) {
    const hash = readFileSync(path.join(fresh, STAMP), 'utf8');
    if (!holdsBuild(place, hash)) throw error;
  }
}

/**
 * Builds the browser part when its sources changed since the last build.
 * @returns the build's id, and whether it was built now.
 */
export async function buildBrowser(options: { force?: boolean; announce?: () => void } = {}): Promise<{ buildId: string; built: boolean }> {
  const hash = browserSourcesHash();
  if (!options.force && holdsBuild(dist, hash)) return { buildId: hash, built: false };
  options.announce?.();
  // Built aside and moved into place whole: another process may be serving the old one or building too.
  const cache = path.join(root, 'node_modules/.cache');
  const [fresh, old] = ['new', 'old'].map((name) => path.join(cache, `${ASIDE}${process.pid}-${name}`)) as [string, string];
  mkdirSync(cache, { recursive: true });
  clearAbandoned(cache);
  try {
    await runVite(fresh);
    copyAmis(root, fresh);
    compress(fresh);
    writeFileSync(path.join(fresh, STAMP), hash);
    moveIntoPlace(fresh, dist, old);
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
  return { buildId: hash, built: true };
}
