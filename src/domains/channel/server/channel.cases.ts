import { callCase, type CallCase } from '#testing/cases.ts';
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
} from '../contract/calls/channels.ts';
import {
  addQrBatch,
  addQrCode,
  batchChangeQrCodeState,
  cancelQrBatch,
  changeQrCodeState,
  downloadQrBatch,
  downloadQrCode,
  exportExcel,
  exportQrBatchList,
  exportQrCodeList,
  modifyQrCode,
  previewQrCode,
  queryCodeHostList,
  queryCommonQrCodeList,
  queryQrBatchList,
  queryQrCodeDetail,
  queryScanList,
  queryScanStat,
  retryQrBatch,
  saveCodeHost,
  voidQrBatch,
} from '../contract/calls/codes.ts';
import { bindScan } from '../contract/calls/gateway.ts';
import {
  addSceneCode,
  batchAddSceneCode,
  changeSceneCodeState,
  downloadSceneCode,
  exportSceneCodeList,
  modifySceneCode,
  previewSceneCode,
  querySceneCodeList,
} from '../contract/calls/scenes.ts';
import {
  addChannelVip,
  auditChannelVip,
  changeChannelVipState,
  exportChannelVipList,
  exportVipUsageList,
  importVipMember,
  modifyChannelVip,
  queryChannelVipDetail,
  queryChannelVipList,
  queryVipUsageList,
  submitChannelVip,
} from '../contract/calls/vips.ts';
import { sql } from 'kysely';
import { uploadTable } from '#testing/uploads.ts';
import {
  allowHost,
  fresh,
  liveVip,
  makeChannel,
  makeCode,
  makeCopy,
  makeSceneCode,
  makeVip,
  operator,
  scan,
  scanTokenOf,
  target,
  vipTerms,
} from './testing/fixtures.ts';
import { reserveVip } from './vip/budget.ts';
import type { TestApp } from '#testing/testApp.ts';

const NONE = '999999999';
const period = { from: '2026-11-01', to: '2026-11-21' };
const channelFields = { name: '改名', startDate: '2026-01-01' };

async function makeBatch(app: TestApp, run: boolean) {
  await allowHost(app);
  const { id } = await app.ok(
    addQrBatch,
    { name: fresh('批次'), mode: 'COUNT' as const, quantity: 2, template: { channelId: (await makeChannel(app)).id, target } },
    { as: await operator(app), idempotencyKey: fresh('case-of-channel-') },
  );
  if (run) await app.runDue();
  return id;
}

export const channelCases: readonly CallCase[] = [
  callCase(queryChannelList, async (app) => {
    await makeChannel(app);
    return { state: ['ENABLED' as const], pageNo: 1 };
  }),
  callCase(queryChannelDetail, async (app) => ({ id: (await makeChannel(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(queryChannelTree, async () => ({})),
  callCase(addChannel, async () => ({ channelType: 'ONLINE' as const, name: fresh('新渠道'), startDate: '2026-01-01' }), {
    foreign: async () => ({ channelType: 'ONLINE' as const, name: '渠道', startDate: '2026-01-01', parentId: NONE }),
  }),
  callCase(modifyChannel, async (app) => ({ id: (await makeChannel(app)).id, version: 1, ...channelFields, name: fresh('改名') }), {
    foreign: async () => ({ id: NONE, version: 1, ...channelFields }),
  }),
  callCase(
    changeChannelState,
    async (app) => ({ id: (await makeChannel(app)).id, version: 1, action: 'disable' as const, opinion: '活动结束' }),
    { foreign: async () => ({ id: NONE, version: 1, action: 'disable' as const, opinion: '活动结束' }) },
  ),
  callCase(delChannel, async (app) => ({ id: (await makeChannel(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(moveChannel, async (app) => ({ id: (await makeChannel(app)).id, version: 1, parentId: (await makeChannel(app)).id }), {
    foreign: async (app) => ({ id: (await makeChannel(app)).id, version: 1, parentId: NONE }),
  }),
  callCase(importChannel, async (app, as) => ({
    fileId: await uploadTable(app, as!, [
      ['渠道名称', '上级渠道编号', '渠道类型', '归属方', '地区代码', '开始日期', '结束日期', '投放费用', '备注'],
      [fresh('导入'), '', '活动', '', '', '2026-01-01', '', '', ''],
    ]),
  })),
  callCase(queryChannelStat, async (app) => ({ channelIds: [(await makeChannel(app)).id], ...period, groupBy: 'CODE' as const })),
  callCase(querySelectOptions, async (app) => {
    await makeChannel(app);
    return { type: 'CHANNEL' as const, limit: 5 };
  }),
  callCase(exportChannelList, async (app) => {
    await makeChannel(app);
    return {};
  }),

  callCase(queryChannelVipList, async (app) => {
    await makeVip(app);
    return {};
  }),
  callCase(queryChannelVipDetail, async (app) => ({ id: (await makeVip(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addChannelVip, async (app) => ({ channelId: (await makeChannel(app)).id, ...vipTerms }), {
    foreign: async () => ({ channelId: NONE, ...vipTerms }),
  }),
  callCase(
    modifyChannelVip,
    async (app) => ({ id: (await makeVip(app, {}, false)).id, version: 1, ...vipTerms, level: 'DIAMOND' as const }),
    { foreign: async () => ({ id: NONE, version: 1, ...vipTerms }) },
  ),
  callCase(submitChannelVip, async (app) => ({ id: (await makeVip(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(
    auditChannelVip,
    async (app) => {
      const { id, as } = await makeVip(app);
      await app.ok(submitChannelVip, { id, version: 1 }, { as });
      return { id, version: 2, action: 'reject' as const, opinion: '预算过高' };
    },
    { foreign: async () => ({ id: NONE, version: 1, action: 'approve' as const }) },
  ),
  callCase(
    changeChannelVipState,
    async (app) => ({ id: (await liveVip(app)).id, version: 3, action: 'suspend' as const, opinion: '暂停核对' }),
    { foreign: async () => ({ id: NONE, version: 1, action: 'suspend' as const, opinion: '暂停核对' }) },
  ),
  callCase(queryVipUsageList, async () => ({})),
  callCase(
    importVipMember,
    async (app, as) => ({ vipId: (await liveVip(app)).id, fileId: await uploadTable(app, as!, [['患者编号'], ['10001']]) }),
    { foreign: async () => ({ vipId: NONE, fileId: NONE }) },
  ),
  callCase(exportVipUsageList, async (app) => {
    const { id } = await liveVip(app);
    await app.kernel.transactions.run('test', ({ tx }) => reserveVip(tx, id, { orderId: '1', amountFen: 100n }, app.clock.now()));
    return { vipId: id };
  }),
  callCase(exportChannelVipList, async (app) => {
    await makeVip(app);
    return {};
  }),

  callCase(queryCommonQrCodeList, async (app) => {
    await makeCode(app);
    return { kind: 'COMMON' as const };
  }),
  callCase(queryQrCodeDetail, async (app) => ({ id: (await makeCode(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(
    addQrCode,
    async (app) => {
      await allowHost(app);
      return { channelId: (await makeChannel(app)).id, name: '新码', target };
    },
    { foreign: async () => ({ channelId: NONE, name: '新码', target }) },
  ),
  callCase(modifyQrCode, async (app) => ({ id: (await makeCode(app)).id, version: 1, name: '改名', target: { type: 'DESK' as const } }), {
    foreign: async () => ({ id: NONE, version: 1, name: '改名', target: { type: 'DESK' as const } }),
  }),
  callCase(changeQrCodeState, async (app) => ({ id: (await makeCode(app)).id, version: 1, action: 'disable' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'disable' as const }),
  }),
  callCase(batchChangeQrCodeState, async (app) => ({ ids: [(await makeCode(app)).id], action: 'disable' as const })),
  callCase(previewQrCode, async (app) => ({ id: (await makeCode(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(
    addQrBatch,
    async (app) => {
      await allowHost(app);
      return { name: '批次', mode: 'COUNT' as const, quantity: 3, template: { channelId: (await makeChannel(app)).id, target } };
    },
    {
      foreign: async () => ({ name: '批次', mode: 'COUNT' as const, quantity: 3, template: { channelId: NONE, target } }),
    },
  ),
  callCase(queryQrBatchList, async (app) => {
    await makeBatch(app, false);
    return {};
  }),
  callCase(exportQrBatchList, async (app) => {
    await makeBatch(app, false);
    return {};
  }),
  callCase(
    retryQrBatch,
    async (app) => {
      const id = await makeBatch(app, true);
      await sql`update channel_qr_batch set state = 'FAILED' where id = ${id}`.execute(app.db);
      return { id, version: 2 };
    },
    { foreign: async () => ({ id: NONE, version: 1 }) },
  ),
  callCase(cancelQrBatch, async (app) => ({ id: await makeBatch(app, false) }), { foreign: async () => ({ id: NONE }) }),
  callCase(voidQrBatch, async (app) => ({ id: await makeBatch(app, true), version: 2, opinion: '印刷有误' }), {
    foreign: async () => ({ id: NONE, version: 1, opinion: '印刷有误' }),
  }),
  callCase(downloadQrBatch, async (app) => ({ id: await makeBatch(app, true) }), { foreign: async () => ({ id: NONE }) }),
  callCase(downloadQrCode, async (app) => ({ codeIds: [(await makeCode(app)).id], format: 'PDF' as const }), {
    foreign: async () => ({ codeIds: [NONE] }),
  }),
  callCase(queryScanStat, async (app) => ({ codeIds: [(await makeCode(app)).id], ...period })),
  callCase(queryScanList, async () => ({})),
  callCase(exportExcel, async (app) => {
    const { token } = await makeCode(app);
    await scan(app, token);
    return { token };
  }),
  callCase(queryCodeHostList, async () => ({})),
  callCase(saveCodeHost, async () => ({ host: `${fresh('host')}.kangqiao.test`, enabled: true }), {
    foreign: async () => ({ id: NONE, version: 1, host: 'nowhere.kangqiao.test', enabled: true }),
  }),
  callCase(exportQrCodeList, async (app) => {
    await makeCode(app);
    return {};
  }),

  callCase(querySceneCodeList, async (app) => {
    await makeSceneCode(app);
    return { abnormal: false };
  }),
  callCase(
    addSceneCode,
    async (app) => ({ sceneId: await makeCopy(app, 'SCENE'), channelId: (await makeChannel(app)).id, entry: 'AUTO' as const }),
    { foreign: async (app) => ({ sceneId: await makeCopy(app, 'SCENE'), channelId: NONE, entry: 'AUTO' as const }) },
  ),
  callCase(
    batchAddSceneCode,
    async (app) => ({ sceneId: await makeCopy(app, 'SCENE'), channelIds: [(await makeChannel(app)).id], entry: 'AUTO' as const }),
    { foreign: async (app) => ({ sceneId: await makeCopy(app, 'SCENE'), channelIds: [NONE], entry: 'AUTO' as const }) },
  ),
  callCase(modifySceneCode, async (app) => ({ id: (await makeSceneCode(app)).id, version: 1, entry: 'AUTO' as const, remark: '备注' }), {
    foreign: async () => ({ id: NONE, version: 1, entry: 'AUTO' as const }),
  }),
  callCase(changeSceneCodeState, async (app) => ({ id: (await makeSceneCode(app)).id, version: 1, action: 'disable' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'disable' as const }),
  }),
  callCase(downloadSceneCode, async (app) => ({ ids: [(await makeSceneCode(app)).id], format: 'SVG' as const }), {
    foreign: async () => ({ ids: [NONE] }),
  }),
  callCase(previewSceneCode, async (app) => ({ id: (await makeSceneCode(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(exportSceneCodeList, async (app) => {
    await makeSceneCode(app);
    return {};
  }),

  callCase(bindScan, async (app) => ({ scanToken: scanTokenOf(await scan(app, (await makeCode(app)).token)), patientId: '10001' }), {
    as: null,
  }),
];
