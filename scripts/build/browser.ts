import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.build-id');

/** Hash of everything that goes into the browser part. */
export function browserSourcesHash(): string {
  const files = globSync(['src/**/*.{ts,tsx,css,html,svg,json,woff2}', 'src/web/public/**/*', 'vite.config.ts', 'package-lock.json'], { cwd: root })
    .filter((file) => !/(^|[/\\])server([/\\]|\.ts$)|\.test\.tsx?$|^src[/\\]testing[/\\]/.test(file) && path.extname(file) !== '')
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(path.join(root, file))).update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** Compresses what is worth it once, so that no request does. */
function compress(): void {
  for (const file of globSync('**/*.{js,css,html,svg,json}', { cwd: dist })) {
    const full = path.join(dist, file);
    const body = readFileSync(full);
    // index.html is filled in at start and answered from memory.
    if (body.length < 1024 || file === 'index.html' || file.startsWith('.vite')) continue;
    writeFileSync(`${full}.gz`, gzipSync(body, { level: 9 }));
    writeFileSync(`${full}.br`, brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }));
  }
}

const runVite = () =>
  new Promise<void>((resolve, reject) => {
    const vite = spawn(process.execPath, [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [vite.stdout, vite.stderr]) stream.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    vite.on('error', reject);
    vite.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The browser part could not be built:\n${said}`))));
  });

/**
 * Builds the browser part when its sources changed since the last build.
 * @returns the build's id, and whether it was built now.
 */
export async function buildBrowser(options: { force?: boolean; announce?: () => void } = {}): Promise<{ buildId: string; built: boolean }> {
  const hash = browserSourcesHash();
  if (!options.force && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return { buildId: hash, built: false };
  options.announce?.();
  await runVite();
  compress();
  writeFileSync(stamp, hash); // last, so that an interrupted build is done again
  return { buildId: hash, built: true };
}
