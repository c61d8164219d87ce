import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusMs } from '../../../../kernel/contract/time.ts';
import { signedHeaders } from '../../../../testing/signing.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { changeChannelState } from '../../contract/calls/channels.ts';
import { addQrCode, changeQrCodeState, modifyQrCode, queryScanStat } from '../../contract/calls/codes.ts';
import { bindScan } from '../../contract/calls/gateway.ts';
import { querySceneCodeList } from '../../contract/calls/scenes.ts';
import { newToken, readToken } from '../codes/token.ts';
import { cookieOf, makeChannel, makeCode, makeSceneCode, operator, scan, scanTokenOf, target } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const scansOf = async (token: string) => (await sql<{ result: string; counted: boolean; visitorId: string | null; at: string }>`select result, counted, visitor_id, at from channel_qr_scan where token = ${token} order by id`.execute(app.db)).rows;

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
  it('answers 404 for wrong tokens without a row, and for unknown ones with one', async () => {
    const wrong = await scan(app, '7K3QX9M2DY');
    expect(wrong.status).toBe(404);
    expect(wrong.body.toString()).toContain('二维码无效');
    expect(await scansOf('7K3QX9M2DY')).toEqual([]);
    expect((await scan(app, '7k3qx9m2dx')).status).toBe(404);
    expect(await scansOf('7K3QX9M2DX')).toMatchObject([{ result: 'UNKNOWN', counted: false }]);
  });

  it('goes to the stored target only, with parameters and proof, and sets its cookie', async () => {
    const { token } = await makeCode(app, { params: { store: '12' } });
    const answer = await scan(app, token.toLowerCase(), { query: '?url=https://evil.example&st=x' });
    expect(answer.status).toBe(302);
    const url = new URL(answer.headers['location']!);
    expect(url.origin + url.pathname).toBe('https://h5.kangqiao.test/page');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ a: '1', store: '12' });
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
    expect(await scansOf(token)).toMatchObject([{ result: 'BOT', visitorId: null }]);

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
    expect(day.days).toMatchObject([{ pv: 3, uv: 2, newUv: 2 }, { pv: 1, uv: 1, newUv: 0 }]);
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
    expect((await scan(app, token)).body.toString()).toContain('二维码已过期');
  });

  it('lets exactly as many through as the limit says, also at once', async () => {
    const { token } = await makeCode(app, { scanLimit: 100 });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => scan(app, token, { ip: `198.51.100.${index}` })));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(100);
    expect((await scansOf(token)).filter(({ result }) => result === 'OK')).toHaveLength(100);
  });

  it('answers without proof when the scan cannot be written in time', async () => {
    const { token } = await makeCode(app);
    let release = () => {};
    const held = app.kernel.transactions.run('test', async ({ tx }) => {
      await sql`lock table channel_qr_scan in access exclusive mode`.execute(tx);
      await new Promise<void>((resolve) => {
        release = resolve;
        void scan(app, token).then((answer) => {
          expect(answer.status).toBe(302);
          expect(new URL(answer.headers['location']!).searchParams.has('st')).toBe(false);
          resolve();
        }, resolve);
      });
    });
    await held;
    release();
  });

  it('tells a crowd behind one address apart, but forwards it', async () => {
    const { token } = await makeCode(app);
    for (let index = 0; index < 60; index += 1) await scan(app, token, { ip: '192.0.2.9' });
    expect((await scan(app, token, { ip: '192.0.2.9' })).status).toBe(302);
    expect((await scansOf(token)).at(-1)).toMatchObject({ result: 'THROTTLED', counted: false });
  });

  it('refuses targets on hosts that are not allowed and keeps the printed code when the target changes', async () => {
    const as = await operator(app);
    const channelId = (await makeChannel(app)).id;
    expect(await app.refused(addQrCode, { channelId, name: '码', target: { type: 'H5', url: 'https://evil.example/' } }, { as })).toMatchObject({ code: 'SCM08031' });
    expect(await app.refused(addQrCode, { channelId, name: '码', target: { type: 'H5', url: 'https://h5.kangqiao.test@evil.example/' } }, { as })).toMatchObject({ code: 'SCM90020' });
    const { id, token } = await makeCode(app, { channelId });
    await app.ok(modifyQrCode, { id, version: 1, name: '码', target: { ...target, url: 'https://h5.kangqiao.test/other' } }, { as });
    expect((await scan(app, token)).headers['location']).toContain('/other?st=');
  });
});

describe('scene codes in the wild', () => {
  it('show the scene without a doctor who stopped, and with him when he is back', async () => {
    const as = await operator(app);
    const { token, doctorId } = await makeSceneCode(app);
    const usable = (value: boolean) => sql`update channel_ref_copy set usable = ${value} where kind = 'DOCTOR' and ref_id = ${doctorId}`.execute(app.db);
    expect((await scan(app, token)).body.toString()).toContain('李文博医生');
    await usable(false);
    const without = (await scan(app, token)).body.toString();
    expect([without.includes('李文博'), without.includes('导诊台')]).toEqual([false, true]);
    expect((await app.ok(querySceneCodeList, { doctorId: doctorId!, abnormal: true }, { as })).rows).toMatchObject([{ problems: ['医生已停诊'] }]);
    await usable(true);
    expect((await scan(app, token)).body.toString()).toContain('李文博医生');
  });
});

describe('bindScan', () => {
  it('refuses changed and old proofs and publishes once per person', async () => {
    const { token, channelId } = await makeCode(app);
    const scanToken = scanTokenOf(await scan(app, token));
    const bind = async (input: object) => app.send(bindScan, input, { headers: await signedHeaders(app, bindScan, input) });
    const changed = { scanToken: scanToken.replace(/.$/, (last) => (last === '0' ? '1' : '0')), patientId: '501' };
    expect((await bind(changed)).envelope).toMatchObject({ code: 'SCM08070' });
    const input = { scanToken, patientId: '501' };
    expect((await bind(input)).envelope).toMatchObject({ code: '0000000', data: { channelId, kind: 'COMMON' } });
    expect((await bind(input)).envelope).toMatchObject({ code: '0000000' });
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from kernel_outbox where name = 'channel.code.scanned' and payload->>'patientId' = '501'`.execute(app.db);
    expect(rows[0]!.n).toBe(1);
    app.clock.set(plusMs(app.clock.now(), days(31)));
    expect((await bind({ scanToken, patientId: '502' })).envelope).toMatchObject({ code: 'SCM08070' });
  });
});
