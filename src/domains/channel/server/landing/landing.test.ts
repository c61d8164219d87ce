import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { doctorChanged, doctorDisabled } from '#events/doctor.ts';
import type { EventDeclaration, PayloadOf } from '#kernel/contract/event.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import { signedHeaders } from '#testing/signing.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { changeChannelState } from '../../contract/calls/channels.ts';
import { addQrCode, changeQrCodeState, modifyQrCode, queryScanStat } from '../../contract/calls/codes.ts';
import { bindScan } from '../../contract/calls/gateway.ts';
import { querySceneCodeList } from '../../contract/calls/scenes.ts';
import { newToken, readToken } from '../codes/token.ts';
import { MOST_WAIT_MS } from './route.ts';
import { cookieOf, makeChannel, makeCode, makeSceneCode, operator, scan, scanTokenOf, target } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const scansOf = async (token: string) =>
  (
    await sql<{
      result: string;
      counted: boolean;
      visitorId: string | null;
      at: string;
    }>`select result, counted, visitor_id, at from channel_qr_scan where token = ${token} order by id`.execute(app.db)
  ).rows;

describe('tokens', () => {
  it('carry their own check and forgive what people misread', () => {
    expect(readToken('7K3QX9M2DX')).toBe('7K3QX9M2DX');
    expect(readToken('7k3qx9m2dx')).toBe('7K3QX9M2DX');
    expect(readToken('7K3QX9M2DY')).toBeNull();
    const made = Array.from({ length: 200 }, newToken);
    expect(made.every((token) => readToken(token) === token)).toBe(true);
    expect(new Set(made).size).toBe(200);
  });
});

describe('the address of a code', () => {
  it('answers 404 for wrong tokens without asking the database, and for unknown ones with a row', async () => {
    let asked = 0;
    app.database.pool.on('acquire', () => (asked += 1));
    const wrong = await scan(app, '7K3QX9M2DY');
    expect([wrong.status, wrong.body.toString().includes('二维码无效'), asked]).toEqual([404, true, 0]);
    expect((await sql`select 1 from channel_qr_scan`.execute(app.db)).rows).toEqual([]);
    const unknown = await scan(app, '7k3qx9m2dx');
    expect([unknown.status, unknown.body.toString().includes('二维码无效')]).toEqual([404, true]);
    expect(await scansOf('7K3QX9M2DX')).toMatchObject([{ result: 'UNKNOWN', counted: false }]);
    expect(unknown.headers['set-cookie']).toBeUndefined();

    const { id } = await makeCode(app);
    await sql`update channel_qr_code set token = '7K3QX9M2DX' where id = ${id}`.execute(app.db);
    for (const token of ['7K3QX9M2DX', '7k3qx9m2dx'])
      expect((await scan(app, token)).headers['location']).toContain('https://h5.kangqiao.test/page');
    expect((await scan(app, '7K3QX9M2DY')).status).toBe(404);
    expect(await scansOf('7K3QX9M2DY')).toEqual([]);
  });

  it('goes to the stored target only, with parameters and proof, and sets its cookie', async () => {
    const { token } = await makeCode(app, { params: { store: '12' } });
    const answer = await scan(app, token.toLowerCase(), { query: '?url=https://evil.example&st=x' });
    expect(answer.status).toBe(302);
    const url = new URL(answer.headers['location']!);
    expect(url.origin + url.pathname).toBe('https://h5.kangqiao.test/page');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      a: '1',
      store: '12',
      st: expect.stringMatching(/^[\w-]+\.k2\.[\w-]+$/) as string,
    });
    expect(answer.headers['set-cookie']).toMatch(/^kq_v=[\w-]{22}; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it('counts neither HEAD nor previews, and repeats within ten seconds once', async () => {
    const { token, id } = await makeCode(app);
    const start = app.clock.now();
    expect((await scan(app, token, { method: 'HEAD' })).status).toBe(302);
    const preview = await scan(app, token, { agent: 'Mozilla/5.0 (compatible; Slackbot-LinkExpanding 1.0)' });
    expect(preview.headers['set-cookie']).toBeUndefined();
    expect(new URL(preview.headers['location']!).searchParams.has('st')).toBe(false);
    expect(await scansOf(token)).toMatchObject([{ result: 'BOT', counted: false, visitorId: null }]);

    const first = cookieOf(await scan(app, token));
    app.clock.set(plusMs(start, 6_000));
    await scan(app, token, { cookie: first });
    app.clock.set(plusMs(start, 3_600_000));
    await scan(app, token, { cookie: first });
    app.clock.set(plusMs(start, 7_200_000));
    await scan(app, token);
    await app.runDue();
    app.clock.set(plusMs(start, days(1)));
    await scan(app, token, { cookie: first });
    await app.runDue();
    const as = await operator(app);
    const day = await app.ok(queryScanStat, { codeIds: [id], from: '2026-11-21', to: '2026-11-22' }, { as });
    expect(day.days).toMatchObject([
      { pv: 3, uv: 2, newUv: 2 },
      { pv: 1, uv: 1, newUv: 0 },
    ]);
    expect(day).toMatchObject({ pv: 4, uv: 2 });
  });

  it('stops disabled and expired codes and those of a disabled channel, and opens them again at once, on another node too', async () => {
    const as = await operator(app);
    const node = await startTestApp({ beside: app });
    const { token, id, channelId } = await makeCode(app, { validTo: plusMs(app.clock.now(), 60_000) });
    for (const at of [app, node]) expect((await scan(at, token)).status).toBe(302);
    await app.ok(changeQrCodeState, { id, version: 1, action: 'disable' }, { as });
    expect((await scan(node, token)).status).toBe(410);
    const stopped = await scan(app, token);
    expect([stopped.status, stopped.body.toString().includes('二维码已停用')]).toEqual([410, true]);
    await app.ok(changeQrCodeState, { id, version: 2, action: 'enable' }, { as });
    for (const at of [app, node]) expect((await scan(at, token)).status).toBe(302);
    await app.ok(changeChannelState, { id: channelId, version: 1, action: 'disable', opinion: '合作终止' }, { as });
    for (const at of [app, node]) expect((await scan(at, token)).status).toBe(410);
    await node.close();
    await app.ok(changeChannelState, { id: channelId, version: 2, action: 'enable' }, { as });
    app.clock.set(plusMs(app.clock.now(), 61_000));
    const expired = await scan(app, token);
    expect([expired.status, expired.body.toString().includes('二维码已过期')]).toEqual([410, true]);
    const soon = await makeCode(app, { validFrom: plusMs(app.clock.now(), 60_000) });
    expect((await scan(app, soon.token)).body.toString()).toContain('活动尚未开始');
  });

  it('lets exactly as many through as the limit says, also at once', async () => {
    const { token } = await makeCode(app, { scanLimit: 101 });
    // The code is known by then: a database that reads slowly under so many turns nobody away.
    expect((await scan(app, token)).status).toBe(302);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => scan(app, token, { ip: `198.51.100.${index}` })));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(100);
    expect(answers.filter(({ status, body }) => status === 410 && body.toString().includes('扫码次数已满'))).toHaveLength(100);
    const results = (await scansOf(token)).map(({ result }) => result);
    expect([results.filter((result) => result === 'OK').length, results.filter((result) => result === 'LIMIT').length]).toEqual([101, 100]);
  });

  it('answers without proof while the database stalls, and raises the metric', async () => {
    expect(MOST_WAIT_MS).toBeLessThan(1_000);
    const { token } = await makeCode(app);
    await scan(app, token);
    const raised = vi.spyOn(app.kernel, 'count');
    // First no scan can be written, then not even the code can be read.
    for (const tables of ['channel_qr_scan', 'channel_qr_scan, channel_qr_code']) {
      const answer = await app.kernel.transactions.run('test', async ({ tx }) => {
        await sql.raw(`lock table ${tables} in access exclusive mode`).execute(tx);
        return scan(app, token);
      });
      expect(answer.status).toBe(302);
      const url = new URL(answer.headers['location']!);
      expect([url.pathname, url.searchParams.has('st')]).toEqual(['/page', false]);
      expect(raised.mock.calls).toContainEqual(['scan_lost']);
      raised.mockClear();
    }
    raised.mockRestore();
    expect(new URL((await scan(app, token)).headers['location']!).searchParams.has('st')).toBe(true);
  });

  it('tells a crowd behind one address apart, but forwards it', async () => {
    const { token } = await makeCode(app);
    for (let index = 0; index < 60; index += 1) await scan(app, token, { ip: '192.0.2.9' });
    expect((await scan(app, token, { ip: '192.0.2.9' })).status).toBe(302);
    expect((await scansOf(token)).at(-1)).toMatchObject({ result: 'THROTTLED', counted: false });
    // So is whoever tries out codes.
    const guess = newToken();
    for (let index = 0; index < 61; index += 1) expect((await scan(app, guess, { ip: '192.0.2.10' })).status).toBe(404);
    expect((await scansOf(guess)).map(({ result }) => result)).toEqual([...Array.from({ length: 60 }, () => 'UNKNOWN'), 'THROTTLED']);
  });

  it('refuses targets on hosts that are not allowed and keeps the printed code when the target changes', async () => {
    const as = await operator(app);
    const channelId = (await makeChannel(app)).id;
    expect(
      await app.refused(addQrCode, { channelId, name: '码', target: { type: 'H5', url: 'https://evil.example/' } }, { as }),
    ).toMatchObject({ code: 'SCM08031', message: '跳转地址不在允许的域名内' });
    expect(
      await app.refused(
        addQrCode,
        { channelId, name: '码', target: { type: 'H5', url: 'https://h5.kangqiao.test@evil.example/' } },
        { as },
      ),
    ).toMatchObject({ code: 'SCM90020' });
    const { id, token } = await makeCode(app, { channelId });
    await app.ok(modifyQrCode, { id, version: 1, name: '码', target: { ...target, url: 'https://h5.kangqiao.test/other' } }, { as });
    expect((await scan(app, token)).headers['location']).toContain('/other?st=');
  });
});

describe('scene codes in the wild', () => {
  it('show the scene without a doctor who stopped, and with him when he is back', async () => {
    const as = await operator(app);
    const { token, sceneId, ...made } = await makeSceneCode(app);
    const doctorId = String(made.doctorId);
    const { rows } = await sql<{ name: string }>`select name from channel_ref_copy where kind = 'SCENE' and ref_id = ${sceneId}`.execute(
      app.db,
    );
    const hear = async <E extends EventDeclaration>(event: E, payload: PayloadOf<E>) => {
      await app.kernel.transactions.run('test', (writing) => writing.publish(event, doctorId, payload));
      await app.runDue();
    };
    const shown = async () => {
      const { status, body } = await scan(app, token);
      const text = body.toString();
      return { status, scene: text.includes(rows[0]!.name), doctor: text.includes('李文博医生'), desk: text.includes('导诊台') };
    };
    const problems = async () => (await app.ok(querySceneCodeList, { doctorId }, { as })).rows.map((row) => row.problems);
    expect(await shown()).toEqual({ status: 200, scene: true, doctor: true, desk: false });
    await hear(doctorDisabled, { doctorId, reason: 'FROZEN' });
    expect(await shown()).toEqual({ status: 200, scene: true, doctor: false, desk: true });
    expect(await problems()).toEqual([['医生已停诊']]);
    expect((await app.ok(querySceneCodeList, { doctorId, abnormal: true }, { as })).total).toBe(1);
    await hear(doctorChanged, {
      doctorId,
      doctorNo: 'YS1',
      operatorId: '1',
      name: '李文博',
      avatarFileId: null,
      titleCode: null,
      hospitalId: null,
      hospitalName: null,
      departmentId: null,
      adcode: null,
      accountState: 'NORMAL',
      qualState: 'APPROVED',
      practiceOk: true,
      acceptState: 'ON',
      offUntil: null,
      channelId: null,
      agentId: null,
      changed: ['accountState'],
    });
    expect(await shown()).toEqual({ status: 200, scene: true, doctor: true, desk: false });
    expect(await problems()).toEqual([[]]);
  });
});

describe('bindScan', () => {
  it('refuses changed and old proofs and publishes once per person', async () => {
    const { token, channelId } = await makeCode(app);
    const scanToken = scanTokenOf(await scan(app, token));
    const bind = async (input: object) => app.send(bindScan, input, { headers: await signedHeaders(app, bindScan, input) });
    // Wherever a character is changed: in the facts, in the name of the key, in the signature.
    for (const at of [0, 10, scanToken.indexOf('.') - 1, scanToken.indexOf('.') + 2, scanToken.length - 1]) {
      const changed = `${scanToken.slice(0, at)}${scanToken[at] === '1' ? '2' : '1'}${scanToken.slice(at + 1)}`;
      expect((await bind({ scanToken: changed, patientId: '501' })).envelope).toMatchObject({
        code: 'SCM08070',
        message: '扫码凭证无效或已过期',
      });
    }
    const input = { scanToken, patientId: '501' };
    expect((await bind(input)).envelope).toMatchObject({ code: '0000000', data: { channelId, kind: 'COMMON' } });
    expect((await Promise.all([1, 2, 3].map(() => bind(input)))).map(({ envelope }) => envelope.code)).toEqual([
      '0000000',
      '0000000',
      '0000000',
    ]);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from kernel_outbox where name = 'channel.code.scanned' and payload->>'patientId' = '501'`.execute(app.db);
    expect(rows[0]!.n).toBe(1);
    app.clock.set(plusMs(app.clock.now(), days(31)));
    expect((await bind({ scanToken, patientId: '502' })).envelope).toMatchObject({ code: 'SCM08070' });
  });
});
