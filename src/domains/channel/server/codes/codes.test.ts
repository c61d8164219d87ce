import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvRows } from '#kernel/server/importing/readCsv.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import { changeChannelState } from '../../contract/calls/channels.ts';
import {
  addQrBatch,
  addQrCode,
  changeQrCodeState,
  exportExcel,
  modifyQrCode,
  previewQrCode,
  queryScanList,
} from '../../contract/calls/codes.ts';
import { addSceneCode, batchAddSceneCode, querySceneCodeList } from '../../contract/calls/scenes.ts';
import { MATERIAL_PURPOSE } from '../../contract/purposes.ts';
import {
  allowHost,
  makeChannel,
  makeCode,
  makeContract,
  makeCopy,
  makeSceneCode,
  operator,
  scan,
  style,
  target,
} from '../testing/fixtures.ts';
import { decodePicture, drawPng } from './draw.ts';
import { requireReadable } from './target.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await allowHost(app);
});
afterAll(() => app.close());

describe('pictures of codes', () => {
  it('read back as what they say, plain and framed', async () => {
    const link = 'https://q.kangqiao.test/q/7K3QX9M2DX';
    for (const change of [
      {},
      { sizePx: 300, margin: 1, level: 'H' as const },
      { frame: 'POSTER' as const, labelText: '浙一心内科' },
      { dark: '#0B3D91', light: '#F5F5F5' },
    ]) {
      expect(await decodePicture(await drawPng(link, { ...style, ...change }))).toBe(link);
    }
  });

  it('are refused when they cannot be read', async () => {
    const as = await operator(app);
    const channelId = (await makeChannel(app)).id;
    const pale = { ...style, dark: '#CCCCCC' };
    const crowded = { ...style, logoFileId: '1', logoPercent: 30 };
    for (const [shown, refusal] of [
      [pale, { code: 'SCM08032', message: '颜色对比度不足，可能无法识别' }],
      [crowded, { code: 'SCM08033', message: 'Logo过大，请控制在20%以内' }],
    ] as const) {
      expect(await app.refused(addQrCode, { channelId, name: '码', target, style: shown }, { as })).toMatchObject(refusal);
      expect(await app.refused(previewQrCode, { style: shown }, { as })).toMatchObject(refusal);
      expect(
        await app.refused(
          addQrBatch,
          { name: '批次', mode: 'COUNT', quantity: 1, template: { channelId, target, style: shown } },
          { as, idempotencyKey: 'unreadable' },
        ),
      ).toMatchObject(refusal);
    }
    await expect(requireReadable(app.kernel, app.db, { ...style, light: style.dark })).rejects.toMatchObject({
      code: 'SCM08034',
      message: '二维码无法识别，请调整样式',
    });
    const paper = await makeContract(app, as);
    expect(await app.refused(previewQrCode, { style: { ...style, logoFileId: paper } }, { as })).toMatchObject({ code: 'SCM08034' });
  });

  it('take a logo that whoever keeps codes has uploaded, and leave it to a colleague who changes the target', async () => {
    const roles = await Promise.all([1, 2].map(() => app.staff({ role: 'CHANNEL_OPS' })));
    const [maker, colleague] = [roles[0]!, roles[1]!];
    const bytes = await drawPng('logo', { ...style, sizePx: 300 });
    const fileId = await uploadFile(app, maker, MATERIAL_PURPOSE, { fileName: 'logo.png', contentType: 'image/png', bytes });
    const logo = { ...style, logoFileId: fileId, logoPercent: 12 };
    const channelId = (await makeChannel(app)).id;
    const { id, no } = await app.ok(addQrCode, { channelId, name: '带标志', target, style: logo }, { as: maker });
    const { dataUrl } = await app.ok(previewQrCode, { id }, { as: colleague });
    expect(await decodePicture(Buffer.from(dataUrl.split(',')[1]!, 'base64'))).toBe(`https://q.kangqiao.test/q/${no}`);
    await app.ok(
      modifyQrCode,
      { id, version: 1, name: '带标志', target: { ...target, url: 'https://h5.kangqiao.test/new' }, style: logo },
      { as: colleague },
    );
  });
});

describe('codes', () => {
  it('with scans are never deleted', async () => {
    const as = await operator(app);
    const { id, token } = await makeCode(app);
    await scan(app, token);
    expect(await app.refused(changeQrCodeState, { id, version: 1, action: 'delete' }, { as })).toMatchObject({
      code: 'SCM08030',
      message: '二维码已有扫码记录，只能停用或作废',
    });
    const fresh = await makeCode(app);
    await app.ok(changeQrCodeState, { id: fresh.id, version: 1, action: 'delete' }, { as });
  });

  it('need the right to void', async () => {
    const as = await app.staff({ permissions: ['channel.code.edit'] });
    expect(await app.refused(changeQrCodeState, { id: '1', version: 1, action: 'void', opinion: '作废' }, { as })).toMatchObject({
      code: 'SCM90010',
    });
  });
});

describe('scene codes', () => {
  it('exist once per scene, channel and doctor', async () => {
    const as = await operator(app);
    const { sceneId, channelId, doctorId, no } = await makeSceneCode(app);
    expect(await app.refused(addSceneCode, { sceneId, channelId, doctorId, entry: 'AUTO' }, { as })).toMatchObject({
      code: 'SCM08040',
      message: `该场景、渠道、医生的场景码已存在（${no}）`,
    });
    const stopped = await makeCopy(app, 'DOCTOR', { usable: false });
    expect(await app.refused(addSceneCode, { sceneId, channelId, doctorId: stopped, entry: 'AUTO' }, { as })).toMatchObject({
      code: 'SCM08041',
    });
    const gone = await makeCopy(app, 'SCENE', { usable: false });
    expect(await app.refused(addSceneCode, { sceneId: gone, channelId, entry: 'AUTO' }, { as })).toMatchObject({ code: 'SCM08043' });
    const agentId = await makeCopy(app, 'AGENT', { name: '周敏', facts: { state: 'ACTIVE' } });
    const filed = await makeChannel(app, { channelType: 'AGENT', agentId, ownerName: '康桥药业' });
    await sql`update channel_ref_copy set usable = false where kind = 'AGENT' and ref_id = ${agentId}`.execute(app.db);
    expect(await app.refused(addSceneCode, { sceneId, channelId: filed.id, entry: 'AUTO' }, { as })).toMatchObject({
      code: 'SCM08044',
      message: '代表周敏备案已过期，不能新增场景码',
    });
    const closed = await makeChannel(app);
    await app.ok(changeChannelState, { id: closed.id, version: 1, action: 'disable', opinion: '活动结束' }, { as });
    expect(await app.refused(addSceneCode, { sceneId, channelId: closed.id, entry: 'AUTO' }, { as })).toMatchObject({ code: 'SCM08042' });
  });

  it('are made for channels times doctors, pair by pair', async () => {
    const as = await operator(app);
    const sceneId = await makeCopy(app, 'SCENE');
    const channelIds = [(await makeChannel(app)).id, (await makeChannel(app)).id, (await makeChannel(app)).id];
    const doctorIds: string[] = [];
    for (let index = 0; index < 100; index += 1) doctorIds.push(await makeCopy(app, 'DOCTOR'));
    const many = Array.from({ length: 500 }, (_, index) => String(index + 1));
    expect(
      await app.refused(batchAddSceneCode, { sceneId, channelIds: many.slice(0, 20), doctorIds: many, entry: 'AUTO' }, { as }),
    ).toMatchObject({ code: 'SCM08045', message: '组合数不能超过2000' });
    await app.ok(
      batchAddSceneCode,
      { sceneId, channelIds: channelIds.slice(0, 1), doctorIds: doctorIds.slice(0, 20), entry: 'AUTO' },
      { as },
    );
    const stored = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from channel_scene_code where scene_id = ${sceneId}`.execute(app.db)).rows[0]!.n;
    expect(await app.ok(batchAddSceneCode, { sceneId, channelIds, doctorIds, entry: 'AUTO', dryRun: true }, { as })).toMatchObject({
      added: 280,
      same: 20,
      refused: 0,
    });
    expect(await stored()).toBe(20);
    const made = await app.ok(batchAddSceneCode, { sceneId, channelIds, doctorIds, entry: 'AUTO' }, { as });
    expect(made).toMatchObject({ added: 280, same: 20, refused: 0 });
    const known = new Set(doctorIds.slice(0, 20));
    expect(
      made.pairs.filter(
        ({ result, channelId, doctorId }) => (result === 'SAME') === (channelId === channelIds[0] && known.has(doctorId ?? '')),
      ),
    ).toHaveLength(300);
    expect(await stored()).toBe(300);
    // One pair that cannot have a code says why and stops no other.
    const stopped = await makeCopy(app, 'DOCTOR', { usable: false });
    const mixed = await app.ok(
      batchAddSceneCode,
      { sceneId, channelIds: channelIds.slice(0, 1), doctorIds: [stopped, await makeCopy(app, 'DOCTOR')], entry: 'AUTO' },
      { as },
    );
    expect(mixed).toMatchObject({ added: 1, same: 0, refused: 1 });
    expect(mixed.pairs.find(({ doctorId }) => doctorId === stopped)).toMatchObject({
      result: 'REFUSED',
      message: '医生未认证或已停诊，不能生成场景码',
    });
  });

  it('are found by disease and hospital', async () => {
    const as = await operator(app);
    const sceneId = await makeCopy(app, 'SCENE', { facts: { diseaseName: '系统性红斑狼疮' } });
    const doctorId = await makeCopy(app, 'DOCTOR', { facts: { hospitalName: '临安县中医院' } });
    const { id } = await makeSceneCode(app, { sceneId, doctorId });
    for (const filter of [{ diseaseName: '红斑' }, { hospitalName: '临安县' }])
      expect((await app.ok(querySceneCodeList, filter, { as })).rows.map((row) => row.id)).toEqual([id]);
  });
});

describe('scans', () => {
  it('are exported as their list has them, or as sums by day', async () => {
    const as = await operator(app);
    const { id, token } = await makeCode(app);
    for (const agent of [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
      'Mozilla/5.0 (Linux; Android 15)',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
    ]) {
      await scan(app, token, { agent });
      await app.advance(1_000);
    }
    await app.advance(300_000);
    const table = async (type: 'SCAN' | 'STAT') => {
      const { body } = await app.file(exportExcel, { codeIds: [id], type, format: 'CSV' }, { as });
      return [...csvRows(body.toString('utf8').replace(/^\uFEFF/, ''))].map((cells) => cells.map((cell) => cell.trim()));
    };
    const { rows } = await app.ok(queryScanList, { codeIds: [id] }, { as });
    const [header = [], ...lines] = await table('SCAN');
    expect(header).toEqual(['时间', '码值', '名称', '渠道', '访客', '客户端', '系统', '结果', '转化']);
    expect(lines.map((cells) => [cells[1], cells[6]])).toEqual(rows.map((row) => [row.token, row.os]));
    expect(new Set(rows.map((row) => row.os)).size).toBe(3);
    const [titles = [], ...sums] = await table('STAT');
    expect(titles).toEqual(['日期', '名称', '渠道', '扫码次数', '扫码人数', '新访客', '注册', '订单', '支付金额（元）']);
    expect(sums.map((cells) => cells.slice(3, 5))).toEqual([['3', '3']]);
  });
});
