import { afterEach, describe, expect, it } from 'vitest';
import { identityModule } from '#domains/identity/server/module.ts';
import { filesModule } from '#domains/files/server/module.ts';
import { captcha, loginIn } from '#domains/identity/contract/calls/login.ts';
import { querySessionList } from '#domains/identity/contract/calls/sessions.ts';
import { access } from '#kernel/contract/call.ts';
import { declareService } from '#kernel/contract/service.ts';
import { query } from '#kernel/server/handler.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import * as z from 'zod/mini';
import { startTestApp, type TestApp } from './testApp.ts';

// What the machine around the product meets: monitoring, the end of a process, callers without end.
let app: TestApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});
const base: readonly ServerModuleFactory[] = [(kernel) => identityModule(kernel, { tipSources: [] }), filesModule];

describe('metrics in production', () => {
  const TOKEN = 'prometheus-of-the-house';
  it('are for whoever shows the token, and for this machine itself', async () => {
    app = await startTestApp({ config: { mode: 'production', metricsToken: TOKEN }, modules: base });
    const ask = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      (await app!.inject({ method: 'GET', url: '/metrics', remoteAddress, headers })).status;
    expect(await ask('10.0.0.9')).toBe(404);
    expect(await ask('10.0.0.9', { authorization: 'Bearer wrong' })).toBe(404);
    expect(await ask('127.0.0.1', { 'x-forwarded-for': '10.0.0.9' })).toBe(404);
    expect(await ask('10.0.0.9', { authorization: `Bearer ${TOKEN}` })).toBe(200);
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await ask(own)).toBe(200);
  });
});

describe('a caller without end', () => {
  it('is slowed down by himself, and told how long', async () => {
    app = await startTestApp({ config: { callsPerSecond: 1 }, modules: base });
    const [one, two] = [await app.staff({ role: 'SUPER_ADMIN' }), await app.staff({ role: 'SUPER_ADMIN' })];
    const codes: string[] = [];
    for (let at = 0; at < 30; at += 1) codes.push((await app.send(querySessionList, {}, { as: one })).envelope.code);
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => '0000000'));
    expect(codes).toContain('SCM90011');
    const slowed = await app.send(querySessionList, {}, { as: one });
    expect(slowed.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(slowed.envelope.message).toBe(`操作过于频繁，请${slowed.headers['retry-after']}秒后再试`);
    const free = await app.send(querySessionList, {}, { as: two });
    expect(free.envelope.code).toBe('0000000');
    expect(free.headers['retry-after']).toBeUndefined();
  });

  it('is slowed down before his input is looked at where he needs no session, at that call alone', async () => {
    app = await startTestApp({ config: { callsPerSecond: 1 }, modules: base });
    const codes: string[] = [];
    for (let at = 0; at < 30; at += 1) codes.push((await app.send(loginIn, { unknown: at })).envelope.code);
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'SCM90020'));
    expect(codes).toContain('SCM90011');
    expect((await app.send(captcha, {})).envelope.code).toBe('0000000');
  });
});

describe('a stop', () => {
  const wait = declareService('WaitingService').read({
    operation: 'queryWaiting',
    label: '等待',
    access: access.public,
    input: {},
    output: z.strictObject({ waited: z.boolean() }),
  });

  it('answers what is under way, whole, and takes nothing new', async () => {
    const gate = Promise.withResolvers<void>();
    let arrived = 0;
    const all = Promise.withResolvers<void>();
    const waiting: ServerModuleFactory = () => ({
      domain: 'waiting',
      permissions: [],
      routes: [],
      errors: {},
      handlers: [
        query(wait, async () => {
          arrived += 1;
          if (arrived === 40) all.resolve();
          await gate.promise;
          return { waited: true };
        }),
      ],
    });
    const stopping = await startTestApp({ modules: [...base, waiting] });
    const address = await stopping.listen();
    const send = () =>
      fetch(`${address}/admin/WaitingService/queryWaiting`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    const answers = Array.from({ length: 40 }, () => send().then((answer) => answer.json()));
    await all.promise;
    const stopped = stopping.close();
    await expect
      .poll(() =>
        fetch(`${address}/healthz`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
    gate.resolve();
    expect(await Promise.all(answers)).toEqual(
      Array.from({ length: 40 }, () => expect.objectContaining({ code: '0000000', data: { waited: true } })),
    );
    await stopped;
  });
});
