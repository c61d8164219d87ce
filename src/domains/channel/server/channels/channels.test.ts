import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentHandedOver } from '#events/pharma.ts';
import type { Call } from '#kernel/contract/call.ts';
import { dayOf, days, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import {
  addChannel,
  changeChannelState,
  delChannel,
  exportChannelList,
  importChannel,
  modifyChannel,
  moveChannel,
  queryChannelDetail,
  queryChannelList,
  queryChannelStat,
  queryChannelTree,
  querySelectOptions,
} from '../../contract/calls/channels.ts';
import { queryCommonQrCodeList, queryQrCodeDetail, queryScanList, queryScanStat } from '../../contract/calls/codes.ts';
import { newToken } from '../codes/token.ts';
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
    expect(
      await app.refused(addChannel, { parentId: low.id, channelType: 'ACTIVITY', name: '四级', startDate: '2026-01-01' }, { as }),
    ).toMatchObject({ code: 'SCM08015', message: '渠道层级不能超过3级' });
    expect(
      await app.refused(addChannel, { parentId: middle.id, channelType: 'ACTIVITY', name: '同名', startDate: '2026-01-01' }, { as }),
    ).toMatchObject({ code: 'SCM08014', message: '同级渠道名称重复' });
    expect(await app.refused(moveChannel, { id: top.id, version: 1, parentId: low.id }, { as })).toMatchObject({ code: 'SCM08015' });
    await app.ok(moveChannel, { id: low.id, version: 1, parentId: null }, { as });
    expect((await app.ok(queryChannelDetail, { id: low.id }, { as })).path).toEqual([low.id]);
  });

  it('ask for what their type needs', async () => {
    const as = await operator(app);
    const input = { channelType: 'AGENT', name: fresh('渠道'), startDate: '2026-02-01', endDate: '2026-01-01' };
    expect((await app.refused(addChannel, input, { as })).fields).toEqual([
      { path: 'agentId', message: '请选择代表' },
      { path: 'ownerName', message: '请输入归属方' },
      { path: 'endDate', message: '结束日期不能早于开始日期' },
    ]);
    const agentId = await makeCopy(app, 'AGENT', { name: '周敏', facts: { state: 'FROZEN' } });
    expect(await app.refused(addChannel, { ...input, endDate: null, agentId, ownerName: '周敏' }, { as })).toMatchObject({
      code: 'SCM08013',
      message: '代表周敏已离职或冻结',
    });
  });

  it('are disabled from below and enabled from above', async () => {
    const as = await operator(app);
    const parent = await makeChannel(app);
    const child = await makeChannel(app, { parentId: parent.id });
    const change = (id: string, version: number, action: 'disable' | 'enable') =>
      [changeChannelState, { id, version, action, ...(action === 'disable' && { opinion: '活动结束' }) }, { as }] as const;
    expect(await app.refused(...change(parent.id, 1, 'disable'))).toMatchObject({ code: 'SCM08010', message: '请先停用下级渠道（1个）' });
    await app.ok(...change(child.id, 1, 'disable'));
    await app.ok(...change(parent.id, 1, 'disable'));
    expect(await app.refused(...change(child.id, 2, 'enable'))).toMatchObject({ code: 'SCM08012' });
    const vip = await liveVip(app);
    expect(await app.refused(...change(vip.channelId, 1, 'disable'))).toMatchObject({
      code: 'SCM08011',
      message: '该渠道的VIP权益生效中，请先终止',
    });
  });

  it('are not deleted with codes, and not changed on an old version', async () => {
    const as = await operator(app);
    const { channelId } = await makeCode(app);
    expect(await app.refused(delChannel, { id: channelId, version: 1 }, { as })).toMatchObject({
      code: 'SCM08016',
      message: '渠道下有二维码或归属，不能删除',
    });
    const name = fresh('新名');
    await app.ok(modifyChannel, { id: channelId, version: 1, name, startDate: '2026-01-01', remark: '同事改过' }, { as });
    const stale = await app.refused(
      modifyChannel,
      { id: channelId, version: 1, name: fresh('旧名'), startDate: '2026-01-01' },
      { as: await operator(app) },
    );
    expect(stale).toMatchObject({ code: 'SCM90030', data: { current: { version: 2, name, remark: '同事改过' } } });
    const [colleague] = await userBrief(app.db, [as.userId]);
    expect(stale.message).toContain(colleague!.displayName);
  });

  it('are seen within the scope only, with everything that hangs on them', async () => {
    const seen = await makeChannel(app);
    const below = await makeChannel(app, { parentId: seen.id });
    const other = await makeCode(app);
    const code = await makeCode(app, { channelId: below.id });
    const as = await operator(app, { channel: [seen.id] });
    expect((await app.ok(queryChannelList, { pageSize: 100 }, { as })).rows.map(({ id }) => id)).toEqual([below.id, seen.id]);
    expect((await app.ok(queryCommonQrCodeList, {}, { as })).rows.map(({ id }) => id)).toEqual([code.id]);
    for (const { token } of [code, other, { token: newToken() }]) await scan(app, token);
    expect((await app.ok(queryScanList, {}, { as })).rows.map(({ codeId }) => codeId)).toEqual([code.id]);
    expect((await app.ok(queryScanList, { channelId: other.channelId }, { as })).total).toBe(0);
    const period = { from: '2026-11-01', to: '2026-11-30' };
    expect(await app.ok(queryScanStat, { ...period, codeIds: [other.id] }, { as })).toMatchObject({ pv: 0 });
    expect(await app.ok(queryScanStat, { ...period, channelId: below.id }, { as })).toMatchObject({ pv: 1 });
    expect((await app.ok(queryChannelTree, {}, { as })).map(({ id }) => id).toSorted()).toEqual([seen.id, below.id].toSorted());
    expect(await app.refused(queryQrCodeDetail, { id: other.id }, { as })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryChannelDetail, { id: other.channelId }, { as })).toMatchObject({ code: 'SCM90040' });
  });

  it('are listed by GET with repeated states', async () => {
    const as = await operator(app);
    const stopped = await makeChannel(app, { endDate: '2027-01-01' });
    await app.ok(changeChannelState, { id: stopped.id, version: 1, action: 'disable', opinion: '活动结束' }, { as });
    const headers = { authorization: as.token, opno: as.opNo, 'content-type': 'application/json' };
    const listed = await app.inject({
      method: 'GET',
      url: '/admin/ChannelService/queryChannelList?state=ENABLED&state=DISABLED&pageSize=100',
      headers,
    });
    const states = (JSON.parse(listed.body.toString()) as { data: { id: string; state: string }[] }).data;
    expect([listed.status, new Set(states.map(({ state }) => state)), states[0]?.id]).toEqual([
      200,
      new Set(['ENABLED', 'DISABLED']),
      stopped.id,
    ]);
    expect((await app.ok(queryChannelList, { state: ['DISABLED'] }, { as })).rows.every(({ state }) => state === 'DISABLED')).toBe(true);
    const posted = await app.inject({ method: 'POST', url: '/admin/ChannelService/queryChannelList', headers, payload: '{}' });
    expect([posted.status, JSON.parse(posted.body.toString())]).toMatchObject([400, { code: 'SCM90020' }]);
    expect(
      await app.refused(queryChannelStat, { channelIds: ['1'], from: '2025-01-01', to: '2026-01-02', groupBy: 'DAY' }, { as }),
    ).toMatchObject({ code: 'SCM08017' });
    for (const call of [queryChannelList, exportChannelList])
      expect(await app.refused(call, { from: '2025-01-01', to: '2026-01-02' }, { as }), call.name).toMatchObject({ code: 'SCM08017' });
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
    const from = await makeCopy(app, 'AGENT', { facts: { state: 'ACTIVE', companyId: '31' } });
    const to = await makeCopy(app, 'AGENT', { facts: { state: 'ACTIVE', companyId: '31' } });
    const channels = [
      await makeChannel(app, { channelType: 'AGENT', agentId: from, ownerName: '周敏' }),
      await makeChannel(app, { channelType: 'AGENT', agentId: from, ownerName: '周敏' }),
    ];
    const { token } = await makeCode(app, { channelId: channels[0]!.id });
    const effectiveOn = plusDays(dayOf(app.clock.now()), 1);
    await app.kernel.transactions.run('test', (writing) =>
      writing.publish(agentHandedOver, from, {
        handoverNo: 'JJ1',
        fromAgentId: from,
        toAgentId: to,
        reason: 'LEAVE',
        doctorIds: [],
        pairs: [],
        channelIds: channels.map(({ id }) => id),
        effectiveOn,
      }),
    );
    await app.runDue();
    await scan(app, token);
    await app.advance(Date.parse(startOfDay(effectiveOn)) - Date.parse(app.clock.now()));
    await scan(app, token);
    const { rows } = await sql<{ agentId: string }>`select agent_id from channel_qr_scan where token = ${token} order by id`.execute(
      app.db,
    );
    expect(rows.map(({ agentId }) => agentId)).toEqual([from, to]);
    const { rows: told } = await sql<{ id: string; agentId: string }>`
      select distinct on (o.aggregate_id) o.aggregate_id as id, o.payload->>'agentId' as agent_id
        from kernel_outbox o
        where o.name = 'channel.channel.changed' and o.aggregate_id = any(${channels.map(({ id }) => id)}::text[])
        order by o.aggregate_id, o.id desc`.execute(app.db);
    expect(told).toEqual(channels.map(({ id }) => ({ id, agentId: to })).toSorted((a, b) => a.id.localeCompare(b.id)));
  });

  it('of a representative belong to the company for which he works', async () => {
    const as = await operator(app);
    const agentId = await makeCopy(app, 'AGENT', { facts: { state: 'ACTIVE', companyId: '9031', companyName: '远山药业' } });
    const other = await makeCopy(app, 'AGENT', { facts: { state: 'ACTIVE', companyId: '9032', companyName: '近水药业' } });
    const { id } = await makeChannel(app, { channelType: 'AGENT', agentId, ownerName: '周敏' });
    expect(await app.ok(querySelectOptions, { type: 'COMPANY', keyword: '远山' }, { as })).toMatchObject([
      { value: '9031', label: '远山药业' },
    ]);
    expect((await app.ok(queryChannelList, { companyId: '9031' }, { as })).rows.map((row) => row.id)).toEqual([id]);
    await app.ok(
      modifyChannel,
      { id, version: 1, name: fresh('换人'), startDate: '2026-01-01', agentId: other, companyId: '9031', ownerName: '周敏' },
      { as },
    );
    expect(await app.ok(queryChannelDetail, { id }, { as })).toMatchObject({ companyId: '9032' });
  });
});

describe('whoever may only look at channels', () => {
  it('is offered nothing and refused everything else', async () => {
    const as = await app.staff({ permissions: ['channel.channel.view'] });
    const { id } = await makeChannel(app);
    expect(await app.ok(queryChannelDetail, { id }, { as })).toMatchObject({ allowedActions: [] });
    expect((await app.ok(queryChannelList, {}, { as })).rows.length).toBeGreaterThan(0);
    const tries: [Call, object][] = [
      [addChannel, { channelType: 'ONLINE', name: fresh('新'), startDate: '2026-01-01' }],
      [modifyChannel, { id, version: 1, name: fresh('改'), startDate: '2026-01-01' }],
      [changeChannelState, { id, version: 1, action: 'disable', opinion: '停用' }],
      [delChannel, { id, version: 1 }],
      [moveChannel, { id, version: 1, parentId: null }],
      [importChannel, { fileId: '1' }],
      [exportChannelList, {}],
    ];
    for (const [call, input] of tries) expect(await app.refused(call, input, { as }), call.name).toMatchObject({ code: 'SCM90010' });
  });
});
