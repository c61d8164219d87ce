import path from 'node:path';
import type pg from 'pg';
import { assemble } from '#kernel/server/assemble.ts';
import { MovableClock, type Clock } from '#kernel/server/clock.ts';
import type { Config } from '#kernel/server/config/config.ts';
import type { Db } from '#kernel/server/context.ts';
import type { CommittedWrites } from '#kernel/server/database/committedWrites.ts';
import type { BrowserBuild } from '#kernel/server/http/browser.ts';
import { registerTestClock } from '#kernel/server/http/testClock.ts';
import { makeDueRunner } from '#kernel/server/jobs/runDue.ts';
import { makeWorker } from '#kernel/server/jobs/worker.ts';
import type { Logger } from '#kernel/server/logger.ts';
import { openRealtime } from '#kernel/server/realtime/socket.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { writeDemo } from '#kernel/server/start/demonstration.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import type { OnStep } from '#kernel/server/start/steps.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { assertOwnStorage } from '#kernel/server/storage/storageMark.ts';
import { modules } from './modules.ts';

export interface OpenDatabase {
  db: Db;
  readDb: Db;
  pool: pg.Pool;
  committedWrites: CommittedWrites;
}

export interface ServerOptions {
  clock: Clock;
  secrets: Secrets;
  log: Logger;
  /** Resolves with what it serves as the browser part, which may be built while data are written. */
  browser: Promise<BrowserBuild>;
  onStep: OnStep;
}

export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  address: string;
  /** Domains whose demonstration data was written by this start. */
  demoWritten: readonly string[];
  stop(): Promise<void>;
}

/** Where the build lies. */
export const BROWSER_FOLDER = path.join(import.meta.dirname, '../dist');

/** Starts one process of the product on a migrated database: modules, reference data, demo data, HTTP, realtime, jobs. */
export async function startServer(
  config: Config,
  database: OpenDatabase,
  { clock, secrets, log, browser, onStep }: ServerOptions,
): Promise<RunningServer> {
  const movable = clock instanceof MovableClock ? clock : null;
  const assembly = await assemble({
    config,
    clock,
    log,
    ...database,
    secrets,
    storage: makeStorage(config, secrets),
    modules,
    loops: !movable,
    browser: 'later',
  });
  const { kernel, http, queue, metrics } = assembly;
  // What was opened is closed in the opposite order, also when the start fails half-way.
  const closing: (() => Promise<unknown>)[] = [() => queue.boss.stop({ graceful: false }), () => http.close()];
  const stop = async () => {
    for (const close of closing.reverse()) await close();
  };
  try {
    await assertOwnStorage(kernel.db, kernel.storage, clock.now());
    await writeReference(kernel, onStep);
    const demoWritten = config.mode === 'production' ? [] : await writeDemo(kernel, onStep);
    for (const module of kernel.registry.modules) await module.started?.();
    const build = await browser;
    assembly.serveBrowser(build);
    const loops = movable
      ? registerTestClock(http, movable, makeDueRunner(kernel, movable, queue, kernel.registry.jobs, kernel.registry.consumers))
      : makeWorker(kernel, queue, kernel.registry.jobs, kernel.registry.consumers, metrics);
    const realtime = await openRealtime(kernel, http.server, database.pool, assembly.notifications, metrics, build.buildId);
    // Sockets first, or the HTTP side waits for them; the bus last, for requests under way still push.
    closing.splice(1, 0, () => realtime.close());
    closing.push(async () => realtime.drain());
    assembly.setRealtime(realtime);
    const address = await http.listen({ host: config.host, port: config.port });
    assembly.onWake((published) => loops.wake(published));
    closing.splice(2, 0, () => loops.stop());
    const listening = await assembly.listen();
    closing.unshift(async () => listening.close());
    await loops.start();
    return { address, demoWritten, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
