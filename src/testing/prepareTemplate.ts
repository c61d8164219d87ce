import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Instant } from '#kernel/contract/time.ts';
import { assemble } from '#kernel/server/assemble.ts';
import { MovableClock } from '#kernel/server/clock.ts';
import type { DatabaseAddress } from '#kernel/server/database/address.ts';
import { migrate } from '#kernel/server/database/migrator.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { DemoContext, ServerModule } from '#kernel/server/module.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { writeDemo } from '#kernel/server/start/demonstration.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { assertSameKey } from '#kernel/server/sensitive/masterKey.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { assertOwnStorage } from '#kernel/server/storage/storageMark.ts';
import { modules } from '../modules.ts';
import { look, type Look } from './look.ts';
import { TEST_MASTER_KEY, testConfig } from './testConfig.ts';

/**
 * Works on a template with the whole product assembled, and leaves no connection behind: a template is cloned only when nobody is in it.
 */
async function inTemplate<T>(
  address: DatabaseAddress,
  { now, dataDir, connections }: { now: Instant; dataDir: string; connections?: number },
  work: (kernel: Kernel) => Promise<T>,
): Promise<T> {
  const opened = createDb(address, { log: stderrLogger, ...(connections && { max: connections }) });
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
    const done = await work(kernel);
    await queue.boss.stop({ graceful: false });
    return done;
  } finally {
    await opened.close();
  }
}

/** Fills the database that every test file's own one is cloned from: schema and reference data, no demo data. */
export async function prepareTemplate(address: DatabaseAddress, now: Instant): Promise<void> {
  await migrate(address, now);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-template-'));
  try {
    await inTemplate(address, { now, dataDir }, writeReference);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Adds the demonstration to a clone of that template, as a start that nothing interrupts; its files lie in `dataDir` then. It goes through
 * a single connection: a demonstration that wrote through another one would wait for itself, because it would not be committed with its
 * mark.
 * @returns the database before the first domain's demonstration and after each of them, in their order.
 */
export const writeDemonstration = (address: DatabaseAddress, now: Instant, dataDir: string): Promise<readonly Look[]> =>
  inTemplate(address, { now, dataDir, connections: 1 }, async (kernel) => {
    await assertSameKey(kernel.db, kernel.secrets, now);
    await assertOwnStorage(kernel.db, kernel.storage, now);
    const looks: (Look | null)[] = [];
    const lookFirst = (write: ServerModule['demo']) =>
      write &&
      (async (ctx: DemoContext) => {
        looks.push(await look(address));
        await write(ctx);
      });
    const looking = kernel.registry.modules.map(({ demo, demoAfter, demoLast, ...module }): ServerModule => {
      const [first, after, last] = [lookFirst(demo), lookFirst(demoAfter), lookFirst(demoLast)];
      return { ...module, ...(first && { demo: first }), ...(after && { demoAfter: after }), ...(last && { demoLast: last }) };
    });
    await writeDemo({ ...kernel, registry: { ...kernel.registry, modules: looking } });
    looks.push(await look(address));
    return looks.filter((one) => one !== null);
  });
