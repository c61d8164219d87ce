import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import type { AnswerOf, Call, InputOf } from '#kernel/contract/call.ts';
import { SUCCESS, type Envelope } from '#kernel/contract/envelope.ts';
import { parameterText, splitInput } from '#kernel/contract/parameters.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { assemble } from '#kernel/server/assemble.ts';
import { MovableClock } from '#kernel/server/clock.ts';
import type { Config } from '#kernel/server/config/config.ts';
import type { Db } from '#kernel/server/context.ts';
import type { DatabaseAddress } from '#kernel/server/database/address.ts';
import { besideTransaction } from '#kernel/server/database/heldConnection.ts';
import { makeDueRunner } from '#kernel/server/jobs/runDue.ts';
import type { BrowserBuild } from '#kernel/server/http/browser.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { silentLogger, stderrLogger } from '#kernel/server/logger.ts';
import { openRealtime, type RealtimeServer } from '#kernel/server/realtime/socket.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { modules } from '../modules.ts';
import { demoTemplate } from './demoTemplate.ts';
import { createStaff, type StaffWish, type TestStaff } from './staff.ts';
import { createTestDatabase, enterDatabase, type TestDatabase } from './testDatabase.ts';
import { TEST_MASTER_KEY, testConfig } from './testConfig.ts';

export const TEST_NOW: Instant = '2026-11-21T02:00:00.000Z';

export interface SendOptions {
  as?: TestStaff | null;
  ifMatch?: number;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  ip?: string;
}

interface TestAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  envelope: Envelope;
  /** Bytes, where a file was answered. */
  file: Buffer | null;
}

export interface TestApp {
  kernel: Kernel;
  db: Db;
  database: TestDatabase;
  clock: MovableClock;
  /** Any request; the input is sent as it is. */
  send(call: Call, input: unknown, options?: SendOptions): Promise<TestAnswer>;
  /** The answer of a call that must succeed. */
  ok<C extends Call>(call: C, input: InputOf<C>, options?: SendOptions): Promise<AnswerOf<C>>;
  /** The envelope of a call that must be refused. */
  refused(call: Call, input: unknown, options?: SendOptions): Promise<Envelope>;
  /** The bytes of a call that must answer a file. */
  file<C extends Call>(call: C, input: InputOf<C>, options?: SendOptions): Promise<{ body: Buffer; headers: TestAnswer['headers'] }>;
  inject(options: InjectOptions): Promise<{ status: number; headers: TestAnswer['headers']; body: Buffer }>;
  staff(wish?: StaffWish): Promise<TestStaff>;
  runDue(): Promise<void>;
  /** @param domains whose crons run, where a test needs no other's */
  advance(ms: number, domains?: readonly string[]): Promise<void>;
  /** Listens on loopback with the realtime channel open. @returns the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

interface TestAppOptions {
  config?: Partial<Config>;
  now?: Instant;
  log?: boolean;
  modules?: readonly ServerModuleFactory[];
  /** Domains beside those of the product: what is not built to its end is tried before anybody sees it. */
  besides?: readonly ServerModuleFactory[];
  browser?: BrowserBuild;
  /** Connections to the database; one proves that what is written together is written through one. */
  connections?: number;
  /** With the demonstration in it, written at `TEST_NOW`; nothing of what it left to do is done. */
  demonstration?: boolean;
  /** One more process of this product: its database and clock, everything else its own. Close it first. */
  beside?: TestApp;
  /** A database that is there already; closing leaves it. */
  database?: DatabaseAddress;
}

/** The whole product on a database of its own, with a clock that the test moves; loops run only in `runDue`. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const demo = options.demonstration ? await demoTemplate(TEST_NOW) : null;
  const entered = options.beside?.database.address ?? options.database;
  const database = entered
    ? enterDatabase(entered)
    : await createTestDatabase({ ...(options.connections && { max: options.connections }), ...(demo && { template: demo.database }) });
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-app-'));
  if (demo) cpSync(demo.dataDir, dataDir, { recursive: true });
  const config: Config = { ...testConfig(dataDir), ...options.config };
  const clock = options.beside?.clock ?? new MovableClock(options.now ?? TEST_NOW);
  const secrets = makeSecrets(TEST_MASTER_KEY);
  /** What went wrong out of sight (a job that is tried again) is told with the call that fails for it. */
  const errors: { message: string; facts: object }[] = [];
  const assembly = await assemble({
    config,
    clock,
    log: options.log ? stderrLogger : { ...silentLogger, error: (facts, message) => void errors.push({ message, facts }) },
    db: database.db,
    readDb: database.db,
    pool: database.pool,
    committedWrites: database.committedWrites,
    secrets,
    storage: makeStorage(config, secrets),
    modules: options.modules ?? [...new Set([...modules, ...(options.besides ?? [])])],
    loops: false,
    browser: options.browser ?? null,
  });
  const { kernel, http, queue, metrics } = assembly;
  let channel: RealtimeServer | null = null;
  let listening: { close(): void } | null = null;
  await http.ready();
  if (options.besides) await writeReference(kernel);
  const due = makeDueRunner(kernel, clock, queue, kernel.registry.jobs, kernel.registry.consumers);

  const inject: TestApp['inject'] = async (request) => {
    const response = await besideTransaction('othersMeanwhile', async () => http.inject(request));
    return { status: response.statusCode, headers: flat(response.headers), body: response.rawPayload };
  };

  const send: TestApp['send'] = async (call, given, { as, ifMatch, idempotencyKey, headers, ip } = {}) => {
    const { query, body: input } =
      call.method === 'GET' || call.query ? splitInput(call, (given ?? {}) as Record<string, unknown>) : { query: {}, body: given };
    const {
      status,
      headers: answered,
      body,
    } = await inject({
      method: call.method,
      url: `${config.prefixes[call.host]}/${call.name}${queryOf(query)}`,
      remoteAddress: ip ?? '127.0.0.1',
      headers: {
        ...(as ? { authorization: as.token, opno: as.opNo, ...(as.userRoleId ? { userrolemenu: as.userRoleId } : {}) } : {}),
        ...(ifMatch ? { 'if-match': String(ifMatch) } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...(call.method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(call.method === 'GET' ? {} : { payload: JSON.stringify(input ?? {}) }),
    });
    const isFile = !answered['content-type']?.startsWith('application/json');
    const envelope: Envelope = isFile ? { code: SUCCESS, message: '', data: null } : JSON.parse(body.toString());
    return { status, headers: answered, envelope, file: isFile ? body : null };
  };

  return {
    kernel,
    db: database.db,
    database,
    clock,
    send,
    async ok(call, input, sendOptions) {
      const { envelope } = await send(call, input, sendOptions);
      const before = envelope.code === SUCCESS ? '' : errors.map((one) => `\nbefore: ${inspect(one)}`).join('');
      expect(envelope, `${call.name}: ${envelope.message}${before}`).toMatchObject({ code: SUCCESS });
      return answerOf(call, envelope) as never;
    },
    async refused(call, input, sendOptions) {
      const { envelope, status } = await send(call, input, sendOptions);
      expect(envelope.code, `${call.name} was not refused`).not.toBe(SUCCESS);
      expect(status).toBe(envelope.code === 'SCM90020' ? 400 : 200);
      return envelope;
    },
    async file(call, input, sendOptions) {
      const { file, envelope, headers } = await send(call, input, sendOptions);
      expect(file, JSON.stringify(envelope)).not.toBeNull();
      return { body: file ?? Buffer.alloc(0), headers };
    },
    inject,
    staff: (wish) => createStaff(kernel, wish ?? {}),
    runDue: () => besideTransaction('othersMeanwhile', due.runDue),
    advance: (ms, domains) => besideTransaction('othersMeanwhile', () => due.advance(ms, domains)),
    async listen() {
      channel = await openRealtime(kernel, http.server, database.pool, assembly.notifications, metrics, 'test');
      assembly.setRealtime(channel);
      listening = await assembly.listen();
      return http.listen({ host: '127.0.0.1', port: 0 });
    },
    async close() {
      channel?.drain();
      await http.close();
      await channel?.close();
      listening?.close();
      await queue.boss.stop({ graceful: false });
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function flat(headers: Record<string, string | string[] | number | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value?.toString()]));
}

/** As it is given: what no page would send too. */
function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) params.append(name, parameterText(one));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

function answerOf(call: Call, envelope: Envelope): unknown {
  if (call.shape === 'list') return { rows: envelope.data, total: envelope.totalRecordCount };
  if (call.shape === 'cursor') return { ...(envelope.data as object), total: envelope.totalRecordCount };
  return envelope.data;
}
