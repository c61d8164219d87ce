import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { makeBank } from './bank/bank.ts';
import type { Clock } from './clock.ts';
import { makeLanes } from './command/lanes.ts';
import { makeTransactions } from './command/runTransactions.ts';
import type { WritingMechanisms } from './command/writing.ts';
import type { Config } from './config/config.ts';
import type { Db } from './context.ts';
import type { CommittedWrites } from './database/committedWrites.ts';
import { rowChanges } from './database/rowChanges.ts';
import { makeHttp } from './http/app.ts';
import { makeBrake } from './http/brake.ts';
import { registerBrowser, type BrowserBuild } from './http/browser.ts';
import { registerHealth } from './http/health.ts';
import { makeMetrics, type Metrics } from './http/metrics.ts';
import { listenOn, type DatabaseListener } from './database/listener.ts';
import { createQueues, makeJobQueue, type JobQueue, type Listen } from './jobs/boss.ts';
import type { Kernel } from './kernel.ts';
import type { Logger } from './logger.ts';
import { makeLogistics } from './logistics/logistics.ts';
import type { ServerModuleFactory } from './module.ts';
import { makeOcr } from './ocr/makeOcr.ts';
import { makeOms } from './oms/oms.ts';
import { outsideSource } from './outside/status.ts';
import { makePayDesk } from './pay/desk.ts';
import { registerPay } from './pay/routes.ts';
import type { Ports } from './ports.ts';
import { deferredRealtime } from './realtime/socket.ts';
import type { RealtimeServer } from './realtime/socket.ts';
import { makeRegistry, type Registry } from './registry.ts';
import type { Secrets } from './sensitive/secrets.ts';
import { outboxSource, queueSource, scheduleSource } from './status/background.ts';
import { exposeStatus } from './status/expose.ts';
import { processSource } from './status/process.ts';
import { makeStatus } from './status/status.ts';
import type { ObjectStorage } from './storage/objectStorage.ts';
import { makeTax } from './tax/tax.ts';

export interface Parts {
  config: Config;
  clock: Clock;
  log: Logger;
  db: Db;
  readDb: Db;
  pool: pg.Pool;
  committedWrites: CommittedWrites;
  secrets: Secrets;
  storage: ObjectStorage;
  modules: readonly ServerModuleFactory[];
  /** Whether background loops will run; false where `runDue` replaces them. */
  loops: boolean;
  /** What it serves as the browser part; `later`: it is told by `serveBrowser`, before it listens. */
  browser: BrowserBuild | null | 'later';
}

export interface Assembly {
  kernel: Kernel;
  http: FastifyInstance;
  metrics: Metrics;
  queue: JobQueue;
  serveBrowser(build: BrowserBuild): void;
  /** Background loops to wake for commits that left work; set once they run. */
  /** Begins to hear the other processes; until then nothing of the database is kept in memory. */
  notifications: DatabaseListener;
  listen(): Promise<{ close(): void }>;
  onWake(wake: (published: boolean) => void): void;
  setRealtime(server: RealtimeServer): void;
}

function missingPort(name: string): never {
  throw new Error(`no module fills the port ${name}`);
}

/** A port that no module filled fails when it is used, naming itself. */
const emptyPorts = (): Ports =>
  new Proxy({} as Ports, {
    get: (ports, name) => Reflect.get(ports, name) ?? missingPort(String(name)),
  });

function unfinished(): Registry {
  throw new Error('the registry is complete only after all modules are built');
}

/** Builds the kernel and its modules on given parts; nothing listens and no loop runs yet. */
export async function assemble(parts: Parts): Promise<Assembly> {
  let wake: (published: boolean) => void = () => {};
  let registry: Registry | null = null;
  const pool = () => ({
    total: parts.pool.totalCount,
    idle: parts.pool.idleCount,
    waiting: parts.pool.waitingCount,
    max: parts.pool.options.max,
  });
  const metrics = makeMetrics(pool);
  let queue: JobQueue | null = null;
  const mechanisms: WritingMechanisms = {
    consumersOf: (name) => registry?.consumersOf(name) ?? [],
    addJob: (tx, name, data, options) => (queue ?? missingPort('jobs')).add(tx, name, data, options),
    lanes: makeLanes(parts.pool.options.max),
    wake: (published) => wake(published),
  };
  const realtime = deferredRealtime();
  let redisUp = (): boolean | null => null;
  const changes = rowChanges(parts.committedWrites);
  const outside = { config: parts.config, db: parts.db, now: () => parts.clock.now() };
  const systems = { bank: makeBank(outside), tax: makeTax(outside), oms: makeOms(outside), logistics: makeLogistics(outside) };
  const kernel: Kernel = {
    config: parts.config,
    clock: parts.clock,
    log: parts.log,
    db: parts.db,
    readDb: parts.readDb,
    rowChanges: changes,
    secrets: parts.secrets,
    storage: parts.storage,
    realtime: realtime.realtime,
    pay: makePayDesk({ ...outside, secrets: parts.secrets }),
    ...systems,
    ocr: makeOcr(parts.config),
    transactions: makeTransactions(() => kernel, mechanisms),
    status: makeStatus(
      () => kernel,
      [
        processSource({ pool, storage: parts.storage, redisUp: () => redisUp() }),
        outsideSource({ BANK: systems.bank, TAX: systems.tax, OMS: systems.oms, LOGISTICS: systems.logistics }, parts.config.simulated),
        outboxSource,
        queueSource(() => kernel.registry),
        scheduleSource(() => kernel.registry),
      ],
    ),
    count: (name) => metrics.incidents.inc({ name }),
    ports: emptyPorts(),
    get registry() {
      return registry ?? unfinished();
    },
  };
  const modules = parts.modules.map((build) => build(kernel));
  for (const module of modules) Object.assign(kernel.ports, module.ports ?? {});
  registry = makeRegistry(modules);

  const notifications = listenOn(parts.pool, parts.log);
  const listen: Listen = (channel, hear, up) => notifications.on(channel, { hear, up });
  queue = makeJobQueue(parts.db, registry.jobs, parts.loops ? listen : null);
  queue.boss.on('error', (error: unknown) => parts.log.error({ error }, 'the job queue reports an error'));
  await queue.boss.start();
  await createQueues(queue.boss, registry.jobs.values());

  const { permissionLabel, handlers } = registry;
  const byName = new Map(handlers.map((handler) => [handler.call.name, handler]));
  const handlerOf = (name: string) => byName.get(name) ?? missingPort(name);
  const http = makeHttp(
    { kernel, mechanisms, brake: makeBrake(parts.config.callsPerSecond), permissionLabel, handlerOf },
    handlers,
    metrics,
  );
  registerHealth(http, kernel, { registry: metrics.registry, upToDate: exposeStatus(metrics.registry, kernel.status) }, registry.calls);
  for (const module of modules) module.http?.(http);
  registerPay(
    http,
    kernel,
    modules.flatMap((module) => module.payees ?? []),
  );
  if (parts.browser !== 'later') registerBrowser(http, parts.config, parts.browser);

  return {
    kernel,
    http,
    metrics,
    queue,
    serveBrowser: (build) => registerBrowser(http, parts.config, build),
    notifications,
    listen: () => changes.start(notifications),
    onWake: (listener) => void (wake = listener),
    setRealtime(server) {
      realtime.set(server);
      redisUp = () => server.redisUp();
    },
  };
}
