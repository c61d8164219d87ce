import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Instant } from '../kernel/contract/time.ts';
import { assemble } from '../kernel/server/assemble.ts';
import { MovableClock } from '../kernel/server/clock.ts';
import type { DatabaseAddress } from '../kernel/server/database/address.ts';
import { migrate } from '../kernel/server/database/migrator.ts';
import { createDb } from '../kernel/server/database/pool.ts';
import type { Kernel } from '../kernel/server/kernel.ts';
import { stderrLogger } from '../kernel/server/logger.ts';
import { writeDemo } from '../kernel/server/start/demonstration.ts';
import { writeReference } from '../kernel/server/start/reference.ts';
import { makeSecrets } from '../kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '../kernel/server/storage/makeStorage.ts';
import { modules } from '../modules.ts';
import { TEST_MASTER_KEY, testConfig } from './testConfig.ts';

/**
 * Works on a template with the whole product assembled, and leaves no connection behind: a template is cloned only when nobody is in it.
 */
async function inTemplate(address: DatabaseAddress, now: Instant, dataDir: string, work: (kernel: Kernel) => Promise<unknown>) {
  const opened = createDb(address, { log: stderrLogger });
  try {
    const config = testConfig(dataDir);
    const secrets = makeSecrets(TEST_MASTER_KEY);
    const { kernel, queue } = await assemble({
      config,
      clock: new MovableClock(now),
      log: stderrLogger,
      db: opened.db,
      readDb: opened.db,
      pool: opened.pool,
      committedWrites: opened.committedWrites,
      secrets,
      storage: makeStorage(config, secrets),
      modules,
      loops: false,
      browser: null,
    });
    await work(kernel);
    await queue.boss.stop({ graceful: false });
  } finally {
    await opened.close();
  }
}

/** Fills the database that every test file's own one is cloned from: schema and reference data, no demo data. */
export async function prepareTemplate(address: DatabaseAddress, now: Instant): Promise<void> {
  await migrate(address, now);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-template-'));
  try {
    await inTemplate(address, now, dataDir, writeReference);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Adds the demonstration to a clone of that template; its files lie in `dataDir` then. */
export const writeDemonstration = (address: DatabaseAddress, now: Instant, dataDir: string): Promise<void> =>
  inTemplate(address, now, dataDir, writeDemo);
