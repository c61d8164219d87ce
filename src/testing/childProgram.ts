import path from 'node:path';
import { build } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * A program that a test starts many times to kill it, put into one file: to read and to strip some hundred files takes each process as long
 * as all the rest that it does. What comes from packages is read from where they are.
 * @returns the file
 */
export async function childProgram(entry: string): Promise<string> {
  const name = path.basename(entry, '.ts');
  const outDir = path.join(ROOT, 'node_modules/.cache/programs', `${name}-${process.pid}`);
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { ssr: entry, outDir, target: 'node24', minify: false, rollupOptions: { output: { entryFileNames: `${name}.mjs` } } },
  });
  return path.join(outDir, `${name}.mjs`);
}
