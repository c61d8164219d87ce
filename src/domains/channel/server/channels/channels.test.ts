import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '../../../../kernel/contract/time.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { addChannel, changeChannelState, delChannel, modifyChannel, moveChannel, queryChannelDetail, queryChannelList, queryChannelStat } from '../../contract/calls/channels.ts';
import { queryCommonQrCodeList, queryQrCodeDetail } from '../../contract/calls/codes.ts';
import { applyHandovers, keepHandover } from '../refs/handover.ts';
import { fresh, liveVip, makeChannel, makeCode, makeCopy, operator, scan } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('channels', () => {
  it('hang in a tree of three levels with names of their own', async () => {
    const as = await operator(app);
    const top = await makeChannel(app);
    const middle = await makeChannel(app, { parentId: top.id });
    const low = await makeChannel(app, { parentId: middle.id, name: '同名' });
    expect(await app.refused(addChannel, { parentId: low.id, channelType: 'ACTIVITY', name: '四级', startDate: '2026-01-01' }, { as })).toMatchObject({ code: 'SCM08015' });
    expect(await app.refused(addChannel, { parentId: middle.id, channelType: 'ACTIVITY', name: '同名', startDate: '2026-01-01' }, { as })).toMatchObject({ code: 'SCM08014' });
    expect(await app.refused(moveChannel, { id: top.id, version: 1, parentId: low.id }, { as })).toMatchObject({ code: 'SCM08015' });
    await app.ok(moveChannel, { id: low.id, version: 1, parentId: null }, { as });
    expect((await app.ok(queryChannelDetail, { id: low.id }, { as })).path).toEqual([low.id]);
  });

  it('ask for what their type needs', async () => {
    const as = await operator(app);
    const input = { channelType: 'AGENT', name: fresh('渠道'), startDate: '2026-02-01', endDate: '2026-01-01' };
    expect((await app.refused(addChannel, input, { as })).fields).toEqual([
      { path: 'agentId', message: '请选择代表' }, { path: 'ownerName', message: '请输入归属方' }, { path: 'endDate', message: '结束日期不能早于开始日期' },
    ]);
    const agentId = await makeCopy(app, 'AGENT', { name: '周敏', facts: { state: 'FROZEN' } });
    expect(await app.refused(addChannel, { ...input, endDate: null, agentId, ownerName: '周敏' }, { as })).toMatchObject({ code: 'SCM08013', message: '代表周敏已离职或冻结' });
  });

  it('are disabled from below and enabled from above', async () => {
    const as = await operator(app);
    const parent = await makeChannel(app);
    const child = await makeChannel(app, { parentId: parent.id });
    const change = (id: string, version: number, action: 'disable' | 'enable') => [changeChannelState, { id, version, action, ...(action === 'disable' && { opinion: '活动结束' }) }, { as }] as const;
    expect(await app.refused(...change(parent.id, 1, 'disable'))).toMatchObject({ code: 'SCM08010', message: '请先停用下级渠道（1个）' });
    await app.ok(...change(child.id, 1, 'disable'));
    await app.ok(...change(parent.id, 1, 'disable'));
    expect(await app.refused(...change(child.id, 2, 'enable'))).toMatchObject({ code: 'SCM08012' });
    const vip = await liveVip(app);
    expect(await app.refused(...change(vip.channelId, 1, 'disable'))).toMatchObject({ code: 'SCM08011' });
  });

  it('are not deleted with codes, and not changed on an old version', async () => {
    const as = await operator(app);
    const { channelId } = await makeCode(app);
    expect(await app.refused(delChannel, { id: channelId, version: 1 }, { as })).toMatchObject({ code: 'SCM08016' });
    await app.ok(modifyChannel, { id: channelId, version: 1, name: fresh('新名'), startDate: '2026-01-01' }, { as });
    expect(await app.refused(modifyChannel, { id: channelId, version: 1, name: fresh('旧名'), startDate: '2026-01-01' }, { as })).toMatchObject({ code: 'SCM90030', data: { current: { version: 2 } } });
  });

  it('are seen within the scope only, with everything that hangs on them', async () => {
    const seen = await makeChannel(app);
    const below = await makeChannel(app, { parentId: seen.id });
    const other = await makeCode(app);
    const code = await makeCode(app, { channelId: below.id });
    const as = await operator(app, { channel: [seen.id] });
    expect((await app.ok(queryChannelList, { pageSize: 100 }, { as })).rows.map(({ id }) => id)).toEqual([below.id, seen.id]);
    expect((await app.ok(queryCommonQrCodeList, {}, { as })).rows.map(({ id }) => id)).toEqual([code.id]);
    expect(await app.refused(queryQrCodeDetail, { id: other.id }, { as })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryChannelDetail, { id: other.channelId }, { as })).toMatchObject({ code: 'SCM90040' });
  });

  it('are listed by GET with repeated states', async () => {
    const as = await operator(app);
    const { rows } = await app.ok(queryChannelList, { state: ['ENABLED', 'DISABLED'], pageSize: 5 }, { as });
    expect(rows.length).toBeGreaterThan(0);
    expect((await app.inject({ method: 'POST', url: '/admin/ChannelService/queryChannelList', headers: { authorization: as.token, 'content-type': 'application/json' }, payload: '{}' })).status).toBe(400);
    expect(await app.refused(queryChannelStat, { channelIds: ['1'], from: '2025-01-01', to: '2026-01-02', groupBy: 'DAY' }, { as })).toMatchObject({ code: 'SCM08017' });
  });

  it('expire and are renewed', async () => {
    const { id } = await makeChannel(app, { endDate: '2026-11-21' });
    await app.advance(days(1));
    const as = await operator(app);
    expect(await app.ok(queryChannelDetail, { id }, { as })).toMatchObject({ state: 'EXPIRED' });
    await app.ok(modifyChannel, { id, version: 2, name: fresh('延期'), startDate: '2026-01-01', endDate: '2027-01-01' }, { as });
    expect(await app.ok(queryChannelDetail, { id }, { as })).toMatchObject({ state: 'ENABLED' });
  });

  it('go to the successor on the day; scans keep their agent', async () => {
    const from = await makeCopy(app, 'AGENT', { facts: { state: 'ACTIVE' } });
    const to = await makeCopy(app, 'AGENT', { facts: { state: 'ACTIVE' } });
    const channel = await makeChannel(app, { channelType: 'AGENT', agentId: from, ownerName: '周敏' });
    const { token } = await makeCode(app, { channelId: channel.id });
    const tomorrow = '2026-11-23';
    await app.kernel.transactions.run('test', (ctx) => keepHandover(ctx, { handoverNo: 'JJ1', fromAgentId: from, toAgentId: to, channelIds: [channel.id], effectiveOn: tomorrow }));
    await scan(app, token);
    app.clock.set('2026-11-23T01:00:00.000Z');
    await app.kernel.transactions.run('test', (ctx) => applyHandovers(ctx, app.clock.now()));
    await scan(app, token);
    const { rows } = await sql<{ agentId: string }>`select agent_id from channel_qr_scan where token = ${token} order by id`.execute(app.db);
    expect(rows.map(({ agentId }) => agentId)).toEqual([from, to]);
  });
});
