import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { assemble } from '#kernel/server/assemble.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner, migrate } from '#kernel/server/database/migrator.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { modules } from '../src/modules.ts';
import { TEST_MASTER_KEY, testConfig } from '#testing/testConfig.ts';

interface Measured {
  kernel: Kernel;
  secrets: Secrets;
  pool: pg.Pool;
  /** Fills tables past their triggers, as a dump that is read in. */
  owner: pg.Client;
  /** Answers calls from now on. @returns the port */
  listen(): Promise<number>;
}

/**
 * What is measured in this process: all modules on an empty database of their own, which goes afterwards; nothing runs by itself.
 */
export async function withKernel<T>(measure: (one: Measured) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-'));
  const database = await startEmbedded({ dataDir, log: silentLogger });
  const opened = createDb(database.address, { log: silentLogger });
  let owner: pg.Client | null = null;
  const stops: (() => unknown)[] = [];
  try {
    await migrate(database.address, systemClock.now());
    owner = await connectOwner(database.address);
    const config = testConfig(dataDir);
    const secrets = makeSecrets(TEST_MASTER_KEY);
    const assembly = await assemble({
      config,
      clock: systemClock,
      log: silentLogger,
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
    const { kernel, queue, http } = assembly;
    const listen = async () => {
      const { close } = await assembly.listen();
      stops.push(close, () => http.close());
      return Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
    };
    const measured = await measure({ kernel, secrets, pool: opened.pool, owner, listen });
    for (const stop of stops) await stop();
    await queue.boss.stop({ graceful: false });
    return measured;
  } finally {
    await owner?.end();
    await opened.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
