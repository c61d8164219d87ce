import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../testing/unzip.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { addQrBatch, addQrCode, changeQrCodeState, downloadQrBatch, queryQrBatchList, voidQrBatch } from '../../contract/calls/codes.ts';
import { batchAddSceneCode, addSceneCode } from '../../contract/calls/scenes.ts';
import { allowHost, makeChannel, makeCode, makeCopy, makeSceneCode, operator, scan, style, target } from '../testing/fixtures.ts';
import { decodePicture, drawPng } from './draw.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await allowHost(app);
});
afterAll(() => app.close());

describe('pictures of codes', () => {
  it('read back as what they say, plain and framed', async () => {
    const link = 'https://q.kangqiao.test/q/7K3QX9M2DX';
    for (const change of [{}, { sizePx: 300, margin: 1, level: 'H' as const }, { frame: 'POSTER' as const, labelText: '浙一心内科' }, { dark: '#0B3D91', light: '#F5F5F5' }]) {
      expect(await decodePicture(await drawPng(link, { ...style, ...change }))).toBe(link);
    }
  });

  it('are refused when they cannot be read', async () => {
    const as = await operator(app);
    const code = { channelId: (await makeChannel(app)).id, name: '码', target };
    expect(await app.refused(addQrCode, { ...code, style: { ...style, dark: '#CCCCCC' } }, { as })).toMatchObject({ code: 'SCM08032' });
    expect(await app.refused(addQrCode, { ...code, style: { ...style, logoFileId: '1', logoPercent: 30 } }, { as })).toMatchObject({ code: 'SCM08033' });
  });
});

describe('codes', () => {
  it('with scans are never deleted', async () => {
    const as = await operator(app);
    const { id, token } = await makeCode(app);
    await scan(app, token);
    expect(await app.refused(changeQrCodeState, { id, version: 1, action: 'delete' }, { as })).toMatchObject({ code: 'SCM08030' });
    const fresh = await makeCode(app);
    await app.ok(changeQrCodeState, { id: fresh.id, version: 1, action: 'delete' }, { as });
  });

  it('need the right to void', async () => {
    const as = await app.staff({ permissions: ['channel.code.edit'] });
    expect(await app.refused(changeQrCodeState, { id: '1', version: 1, action: 'void', opinion: '作废' }, { as })).toMatchObject({ code: 'SCM90010' });
  });
});

describe('batches', () => {
  it('are made once per request, zipped whole, and void as a whole after a second look', async () => {
    const as = await operator(app);
    const input = { name: '门店', mode: 'COUNT', quantity: 120, template: { channelId: (await makeChannel(app)).id, target } } as const;
    expect(await app.refused(addQrBatch, { ...input, quantity: 5_001 }, { as, idempotencyKey: 'too-many-codes' })).toMatchObject({ code: 'SCM08035' });
    const { id } = await app.ok(addQrBatch, input, { as, idempotencyKey: 'one-batch' });
    expect((await app.ok(addQrBatch, input, { as, idempotencyKey: 'one-batch' })).id).toBe(id);
    await app.runDue();
    const [batch] = (await app.ok(queryQrBatchList, { id }, { as })).rows;
    expect(batch).toMatchObject({ state: 'READY', done: 120, failed: 0, hasZip: true });
    const { body } = await app.file(downloadQrBatch, { id }, { as });
    const entries = unzip(body);
    expect(entries).toHaveLength(121);
    for (const index of [0, 57, 119]) {
      const { name, bytes } = entries[index]!;
      const token = /_([0-9A-Z]{10})\.png$/.exec(name)![1]!;
      expect(await decodePicture(bytes)).toBe(`https://q.kangqiao.test/q/${token}`);
    }
    const token = /_([0-9A-Z]{10})\.png$/.exec(entries[0]!.name)![1]!;
    await scan(app, token);
    expect((await app.refused(voidQrBatch, { id, version: batch!.version, opinion: '印刷有误' }, { as })).message).toContain('本批次已有1个码被扫过');
    await app.ok(voidQrBatch, { id, version: batch!.version, opinion: '印刷有误', confirmScanned: 1 }, { as });
    expect((await scan(app, token)).body.toString()).toContain('二维码已停用');
  });
});

describe('scene codes', () => {
  it('exist once per scene, channel and doctor', async () => {
    const as = await operator(app);
    const { sceneId, channelId, doctorId, no } = await makeSceneCode(app);
    expect(await app.refused(addSceneCode, { sceneId, channelId, doctorId, entry: 'AUTO' }, { as })).toMatchObject({ code: 'SCM08040', message: `该场景、渠道、医生的场景码已存在（${no}）` });
    const stopped = await makeCopy(app, 'DOCTOR', { usable: false });
    expect(await app.refused(addSceneCode, { sceneId, channelId, doctorId: stopped, entry: 'AUTO' }, { as })).toMatchObject({ code: 'SCM08041' });
  });

  it('are made for channels times doctors, pair by pair', async () => {
    const as = await operator(app);
    const sceneId = await makeCopy(app, 'SCENE');
    const channelIds = [(await makeChannel(app)).id, (await makeChannel(app)).id, (await makeChannel(app)).id];
    const doctorIds: string[] = [];
    for (let index = 0; index < 100; index += 1) doctorIds.push(await makeCopy(app, 'DOCTOR'));
    await app.ok(batchAddSceneCode, { sceneId, channelIds: channelIds.slice(0, 1), doctorIds: doctorIds.slice(0, 20), entry: 'AUTO' }, { as });
    expect(await app.ok(batchAddSceneCode, { sceneId, channelIds, doctorIds, entry: 'AUTO', dryRun: true }, { as })).toMatchObject({ added: 280, same: 20 });
    expect(await app.ok(batchAddSceneCode, { sceneId, channelIds, doctorIds, entry: 'AUTO' }, { as })).toMatchObject({ added: 280, same: 20, refused: 0 });
    const many = Array.from({ length: 500 }, (_, index) => String(index + 1));
    expect(await app.refused(batchAddSceneCode, { sceneId, channelIds: Array.from({ length: 20 }, (_, index) => String(index + 1)), doctorIds: many, entry: 'AUTO' }, { as })).toMatchObject({ code: 'SCM08045' });
    expect((await sql<{ n: number }>`select count(*)::int as n from channel_scene_code where scene_id = ${sceneId}`.execute(app.db)).rows[0]!.n).toBe(300);
  });
});
