import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours } from '#kernel/contract/time.ts';
import { makeProbe, probeCalls, type Probe } from './probeModule.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

let app: TestApp;
let probe: Probe;
const as = (token: string) => ({ as: { token, opNo: 'KQ0001', userRoleId: '1' } as TestStaff });
const reader = as('reader');
const editor = as('editor');

beforeAll(async () => {
  probe = makeProbe();
  app = await startTestApp({ modules: [probe.module] });
});
afterAll(() => app.close());

const counted = async () =>
  (await sql<{ last: string }>`select last from kernel_number where prefix = 'PROBE'`.execute(app.db)).rows[0]?.last ?? '0';

describe('who may call', () => {
  it('refuses without a session, with a dead one, and without the permission, naming it', async () => {
    expect(await app.refused(probeCalls.add, { name: 'a' })).toMatchObject({ code: 'SCM90002' });
    expect(await app.refused(probeCalls.add, { name: 'a' }, as('dead'))).toMatchObject({ code: 'SCM90002' });
    expect(await app.refused(probeCalls.add, { name: 'a' }, reader)).toMatchObject({ code: 'SCM90010', message: '没有权限：维护便签' });
    expect(probe.log.at(-1)).toMatchObject({ resultCode: 'SCM90010', call: 'admin/ProbeService/addNote' });
  });

  it('takes the token raw and with its prefix', async () => {
    for (const token of ['reader', 'bear reader', 'Bearer reader']) {
      const { envelope } = await app.send(probeCalls.list, {}, { headers: { authorization: token } });
      expect(envelope.code).toBe('0000000');
    }
  });
});

describe('what is sent', () => {
  it('names each wrong field in Chinese and refuses unknown ones', async () => {
    const { fields } = await app.refused(probeCalls.add, { name: '', extra: 1 }, editor);
    expect(fields).toEqual([
      { path: 'name', message: '请输入名称' },
      { path: 'extra', message: '不认识的字段：extra' },
    ]);
  });

  it('answers malformed JSON, a foreign content type, an oversized body and an unknown call with HTTP 400 and a code', async () => {
    const post = (payload: string, type = 'application/json', url = '/admin/ProbeService/addNote') =>
      app.inject({ method: 'POST', url, payload, headers: { 'content-type': type, authorization: 'editor' } });
    for (const response of [
      await post('{"name":'),
      await post('name=a', 'application/x-www-form-urlencoded'),
      await post(`"${'x'.repeat(2_100_000)}"`),
      await post('{}', 'application/json', '/admin/ProbeService/nothing'),
    ]) {
      expect(response.status).toBe(400);
      expect(JSON.parse(response.body.toString())).toMatchObject({ code: expect.stringMatching(/^SCM\d{5}$/), data: null });
    }
  });

  it('refuses what is nested too deep before anything walks through it, with a session and without', async () => {
    for (const levels of [51, 10_000, 500_000]) {
      for (const headers of [{}, { authorization: 'editor' }]) {
        const response = await app.inject({
          method: 'POST',
          url: '/admin/ProbeService/addNote',
          payload: `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`,
          headers: { 'content-type': 'application/json', ...headers },
        });
        expect(response.status).toBe(400);
        expect(JSON.parse(response.body.toString())).toMatchObject({
          code: 'SCM90020',
          fields: [{ path: 'body', message: '请求内容的层级过深，最多50层' }],
        });
      }
    }
  });

  it('tells twenty faults at most, shows made-up names in part, and refuses more values than any call takes', async () => {
    const keys = (count: number, letters = 1) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${'钥'.repeat(letters)}${at}`, 1]));
    const { fields } = await app.refused(probeCalls.add, { name: '', ...keys(40_000) }, editor);
    expect(fields).toHaveLength(20);
    const [long] = (await app.refused(probeCalls.add, { name: 'a', ...keys(1, 5_000) }, editor)).fields ?? [];
    expect(long!.message.length).toBeLessThan(100);
    const texts = { name: Array.from({ length: 1_000 }, () => '\0') };
    expect((await app.refused(probeCalls.add, texts, editor)).fields).toHaveLength(20);
    expect(await app.refused(probeCalls.add, { name: '', ...keys(60_000) }, editor)).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'body', message: '请求内容过多，最多50000项' }],
    });
  });

  it('takes 64 KB of a public call', async () => {
    const post = async (letters: number) => {
      const { status, body } = await app.inject({
        method: 'POST',
        url: '/admin/ProbeService/leakNote',
        payload: { a: 'x'.repeat(letters) },
      });
      return { status, ...JSON.parse(body.toString()) };
    };
    expect(await post(60_000)).toMatchObject({ status: 400, fields: [{ path: 'a', message: '不认识的字段：a' }] });
    expect(await post(70_000)).toMatchObject({ status: 400, fields: [{ path: 'body', message: '请求内容超过64KB' }] });
  });

  it('takes the declared parameters of a POST from its address alone, and checks them like the rest', async () => {
    const post = async (address: string, payload: object) => {
      const { status, body } = await app.inject({
        method: 'POST',
        url: `/admin/ProbeService/addFiledNote${address}`,
        payload,
        headers: { authorization: 'reader' },
      });
      return { status, ...JSON.parse(body.toString()) };
    };
    for (const [address, payload, field] of [
      ['', { name: 'a', productCode: 'P1' }, 'productCode'],
      ['?productCode=P1', { name: 'a', productType: ['A'] }, 'productType'],
      [`?productCode=${'x'.repeat(21)}`, { name: 'a' }, 'productCode'],
      ['', { name: 'a' }, 'productCode'],
    ] as const) {
      expect(await post(address, payload), address).toMatchObject({ status: 400, code: 'SCM90020', fields: [{ path: field }] });
    }
    expect(await post('?productCode=P%2F1&productType=A&productType=B&name=b', { name: 'a' })).toMatchObject({
      code: '0000000',
      data: { name: 'a', productCode: 'P/1', productType: ['A', 'B'] },
    });
    expect(await app.ok(probeCalls.filed, { name: 'a', productCode: 'P1' }, reader)).toEqual({
      name: 'a',
      productCode: 'P1',
      productType: [],
    });
    const { paths } = JSON.parse((await app.inject({ method: 'GET', url: '/openapi.json' })).body.toString());
    const { parameters, requestBody } = paths['/admin/ProbeService/addFiledNote'].post;
    expect(parameters.map(({ name, in: place }: { name: string; in: string }) => [name, place])).toEqual([
      ['productCode', 'query'],
      ['productType', 'query'],
    ]);
    const body: { required: string[]; properties: Record<string, unknown> } = requestBody.content['application/json'].schema;
    expect(body.required).toEqual(['name']);
    expect(Object.keys(body.properties)).toEqual(['name']);
  });

  it('keeps passwords out of the log', async () => {
    await app.ok(probeCalls.add, { name: 'secretive', password: 'p4ss' }, editor);
    expect(JSON.stringify(probe.log.at(-1))).not.toContain('p4ss');
    expect(probe.log.at(-1)).toMatchObject({ resultCode: '0000000', targets: [{ type: 'note', id: 'secretive' }] });
  });
});

describe('a command', () => {
  it('writes all or nothing; a refusal keeps its writes only where it says so', async () => {
    const before = Number(await counted());
    await app.refused(probeCalls.count, { fail: 'refuse' }, reader);
    expect(await app.refused(probeCalls.count, { fail: 'crash' }, reader)).toMatchObject({
      code: 'SCM99999',
      message: expect.stringMatching(/^系统异常，请联系管理员（追踪号[0-9a-f]{16}）$/),
    });
    expect(Number(await counted())).toBe(before);
    await app.refused(probeCalls.count, { fail: 'keep' }, reader);
    expect(Number(await counted())).toBe(before + 1);
  });

  it('runs once for fifty parallel sendings of one key, and refuses the key for another body', async () => {
    const before = Number(await counted());
    const key = { ...reader, idempotencyKey: 'double-click-1' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.send(probeCalls.count, {}, key)));
    expect(new Set(answers.map(({ envelope }) => envelope.code))).toEqual(new Set(['0000000']));
    expect(Number(await counted())).toBe(before + 1);
    expect(await app.refused(probeCalls.count, { fail: 'refuse' }, key)).toMatchObject({ code: 'SCM90050' });
  });

  it('refuses a stale version with the record as it stands, and does not check where none is sent', async () => {
    expect(await app.refused(probeCalls.fresh, { id: '1' }, { ...reader, ifMatch: 2 })).toMatchObject({
      code: 'SCM90030',
      message: '该记录已被周敏修改，请查看变化后重试',
      data: { current: { name: '新', version: 3 } },
    });
    await app.ok(probeCalls.fresh, { id: '1' }, { ...reader, ifMatch: 3 });
    await app.ok(probeCalls.fresh, { id: '1' }, reader);
  });
});

it('notices an answer that holds more than its contract declares', async () => {
  expect(await app.refused(probeCalls.leak, {})).toMatchObject({ code: 'SCM99999' });
});

it('delivers an event once, in order, again after a failure, and not at all for what was rolled back', async () => {
  await app.runDue();
  probe.failures.consumer = 1;
  await app.ok(probeCalls.add, { name: 'first' }, editor);
  expect(await app.refused(probeCalls.add, { name: 'first' }, editor)).toMatchObject({ message: '便签“first”已存在' });
  await app.runDue();
  expect(probe.consumed).not.toContainEqual(expect.stringMatching(/^first/));
  await app.advance(hours(1));
  expect(probe.consumed.filter((entry) => entry.startsWith('first'))).toHaveLength(1);
  await app.runDue();
  expect(probe.consumed.filter((entry) => entry.startsWith('first'))).toHaveLength(1);
});

it('delivers many together; one that fails undoes and delays no other', async () => {
  await app.runDue();
  const names = Array.from({ length: 60 }, (_, n) => `together${String(n).padStart(2, '0')}`);
  for (const name of names) await app.ok(probeCalls.add, { name }, editor);
  // Once as the consumer wrote it, once as the delivery says.
  const heard = async () => {
    const { rows: written } = await sql<{
      name: string;
    }>`select substr(name, 10) as name from kernel_setting where name like 'consumed.together%' order by 1`.execute(app.db);
    const { rows: done } = await sql<{ name: string }>`
      select o.payload->>'name' as name
        from kernel_outbox_delivery d
        join kernel_outbox o on o.id = d.outbox_id
        where o.payload->>'name' like 'together%' and d.state = 'DONE'
        order by 1`.execute(app.db);
    return [written.map(({ name }) => name), done.map(({ name }) => name)];
  };
  probe.failures.named = 'together07';
  await app.runDue();
  const others = names.filter((name) => name !== 'together07');
  expect(await heard()).toEqual([others, others]);
  probe.failures.named = null;
  await app.advance(hours(1));
  expect(await heard()).toEqual([names, names]);
});

it('retries a job and shows the one that failed for good', async () => {
  probe.failures.job = 1;
  await app.ok(probeCalls.work, { text: 'mended' }, reader);
  await app.runDue();
  expect(probe.done).toEqual([]);
  await app.advance(hours(1));
  expect(probe.done).toEqual(['mended']);

  probe.failures.job = 9;
  await app.ok(probeCalls.work, { text: 'broken' }, reader);
  await app.runDue();
  await app.advance(hours(2));
  const { rows } = await sql`select job_name, label, subject, attempts, state from kernel_failed_job`.execute(app.db);
  expect(rows).toEqual([{ jobName: 'probe.note', label: '便签任务', subject: 'broken', attempts: 2, state: 'FAILED' }]);
  expect(probe.told).toEqual(['probe.note']);
});

it('gives up an event that its consumer never takes, as of now, and tells of it once', async () => {
  probe.told.length = 0;
  probe.failures.consumer = 99;
  for (const name of ['deaf', 'deaf too']) await app.ok(probeCalls.add, { name }, editor);
  for (let hour = 0; hour < 8; hour += 1) await app.advance(hours(1));
  probe.failures.consumer = 0;
  const { rows } = await sql`select attempts, next_try_at from kernel_outbox_delivery where state = 'FAILED'`.execute(app.db);
  expect(rows).toEqual([1, 2].map(() => ({ attempts: 8, nextTryAt: app.clock.now() })));
  expect(probe.told).toEqual(['probe:probe.note.added']);
});

it('serves health, readiness, metrics and the contract', async () => {
  const get = async (url: string) => (await app.inject({ method: 'GET', url })).body.toString();
  expect(await get('/healthz')).toContain('ok');
  expect(JSON.parse(await get('/readyz'))).toMatchObject({ status: 'ready' });
  expect(await get('/metrics')).toContain('kangqiao_call_seconds_bucket');
  expect(JSON.parse(await get('/openapi.json')).paths['/admin/ProbeService/addNote'].post.summary).toBe('便签');
});
