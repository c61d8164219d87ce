import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { assemble } from '../src/kernel/server/assemble.ts';
import { systemClock } from '../src/kernel/server/clock.ts';
import { startEmbedded } from '../src/kernel/server/database/embedded/embedded.ts';
import { migrate } from '../src/kernel/server/database/migrator.ts';
import { createDb } from '../src/kernel/server/database/pool.ts';
import type { Kernel } from '../src/kernel/server/kernel.ts';
import type { ServerModuleFactory } from '../src/kernel/server/module.ts';
import { silentLogger } from '../src/kernel/server/logger.ts';
import type { Secrets } from '../src/kernel/server/sensitive/secrets.ts';
import { makeSecrets } from '../src/kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '../src/kernel/server/storage/makeStorage.ts';
import { modules } from '../src/modules.ts';
import { TEST_MASTER_KEY, testConfig } from '../src/testing/testConfig.ts';

/**
 * What is measured in this process: all modules on an empty database of their own, which goes afterwards; nothing runs by itself.
 * @param besides domains that are not registered yet
 */
export async function withKernel<T>(
  measure: (one: { kernel: Kernel; secrets: Secrets }) => Promise<T>,
  besides: readonly ServerModuleFactory[] = [],
): Promise<T> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-'));
  const database = await startEmbedded({ dataDir, log: silentLogger });
  const opened = createDb(database.address, { log: silentLogger });
  try {
    await migrate(database.address, systemClock.now());
    const config = testConfig(dataDir);
    const secrets = makeSecrets(TEST_MASTER_KEY);
    const { kernel, queue } = await assemble({
      config,
      clock: systemClock,
      log: silentLogger,
      db: opened.db,
      readDb: opened.db,
      pool: opened.pool,
      committedWrites: opened.committedWrites,
      secrets,
      storage: makeStorage(config, secrets),
      modules: [...new Set([...modules, ...besides])],
      loops: false,
      browser: null,
    });
    const measured = await measure({ kernel, secrets });
    await queue.boss.stop({ graceful: false });
    return measured;
  } finally {
    await opened.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
