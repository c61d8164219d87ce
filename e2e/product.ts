import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FIRST_START } from '../scripts/test/firstStart.ts';
import { TEST_NOW } from '#testing/globalSetup.ts';
import { CAPTCHA_ANSWER } from './signIn.ts';

const root = path.join(import.meta.dirname, '..');

export interface Product {
  address: string;
  dataDir: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the product as `npm start` does, in mode `test` with demonstration data, on data of its own and a free port: a copy of what an
 * interrupted first start came to where one is handed over, else written now.
 */
export async function startProduct(): Promise<Product> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-journeys-'));
  chmodSync(dataDir, 0o711);
  const begun = process.env[FIRST_START];
  // With its owners: the database's files belong to another account.
  if (begun) execFileSync('cp', ['-a', `${begun}/.`, dataDir]);
  const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(KANGQIAO|DATABASE|S3|SMS|REDIS)_/.test(key)));
  const child = spawn(process.execPath, [path.join(root, 'scripts/serve.ts')], {
    cwd: root,
    env: {
      ...own,
      KANGQIAO_DATA_DIR: dataDir,
      KANGQIAO_MODE: 'test',
      KANGQIAO_CLOCK: TEST_NOW,
      KANGQIAO_CAPTCHA_ANSWER: CAPTCHA_ANSWER,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /is ready.*?(http:\/\/\S+)/.exec(output)?.[1];
        if (found && output.includes('Ctrl+C stops it')) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(`The product did not start:\n${output}`)));
  });
  return {
    address,
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
