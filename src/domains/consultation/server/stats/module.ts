import { exportSource, type ExportColumn } from '#kernel/server/exporting/source.ts';
import { query } from '#kernel/server/handler.ts';
import { exportConsultStat, queryConsultStat, type StatRow } from '../../contract/calls/stats.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { readStats } from './read.ts';

const columns: readonly ExportColumn<StatRow>[] = [
  { key: 'label', label: '统计项', width: 20, value: (row) => row.label },
  { key: 'taken', label: '接入数', kind: 'int', value: (row) => row.taken },
  { key: 'firstReplyMedianSec', label: '首次响应中位数（秒）', kind: 'int', width: 20, value: (row) => row.firstReplyMedianSec },
  { key: 'firstReplyP90Sec', label: '首次响应90%（秒）', kind: 'int', width: 20, value: (row) => row.firstReplyP90Sec },
  { key: 'overSlaBp', label: '超时率', kind: 'bp', value: (row) => row.overSlaBp },
  { key: 'handleAverageSec', label: '平均处理时长（秒）', kind: 'int', width: 20, value: (row) => row.handleAverageSec },
  { key: 'transferBp', label: '转接率', kind: 'bp', value: (row) => row.transferBp },
  { key: 'ended', label: '结束问诊数', kind: 'int', value: (row) => row.ended },
  { key: 'goodRateBp', label: '好评率', kind: 'bp', value: (row) => row.goodRateBp },
];

const statExport = exportSource({
  call: exportConsultStat,
  title: '接待数据',
  routeKey: 'assistantIM',
  permission: may['chat.supervise'].code,
  columns,
  count: async ({ db, filter }) => (await readStats(db, filter)).length,
  async *chunks({ db, filter }) {
    yield await readStats(db, filter);
  },
});

/** 接待数据: how fast and how well patients were received. */
export const statsModule: FeatureModule = {
  handlers: [query(queryConsultStat, (filter, ctx) => readStats(ctx.db, filter))],
  exports: [statExport],
};
