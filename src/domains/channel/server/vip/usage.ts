import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { exportVipUsageList, queryVipUsageList, type VipUsageRow } from '../../contract/calls/vips.ts';
import { vipUsageKinds } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';

type Filter = Omit<CheckedInputOf<typeof queryVipUsageList>, 'pageNo' | 'pageSize'>;

function usageQuery(db: Db, viewer: Viewer, { vipId, vipNo, kind }: Filter) {
  let matching = own(db)
    .selectFrom('channelVipUsage as u')
    .innerJoin('channelVip as v', 'v.id', 'u.vipId')
    .innerJoin('channelChannel as c', 'c.id', 'v.channelId')
    .where(seesChannel(viewer));
  if (vipId) matching = matching.where('u.vipId', '=', vipId);
  if (vipNo) matching = matching.where('v.vipNo', 'like', like(vipNo.toUpperCase()));
  if (kind) matching = matching.where('u.kind', '=', kind);
  return matching;
}

async function readUsages(matching: ReturnType<typeof usageQuery>, page: { limit: number; offset: number }): Promise<VipUsageRow[]> {
  const rows = await matching
    .select([
      'u.id',
      'u.vipId',
      'v.vipNo',
      'c.name as channelName',
      'u.orderId',
      'u.kind',
      'u.amountFen',
      'u.month',
      'u.doctorName',
      'u.at',
    ])
    .select(
      sql<boolean>`exists (select from channel_vip_usage r where r.vip_id = u.vip_id and r.order_id = u.order_id and r.kind = 'RELEASE')`.as(
        'released',
      ),
    )
    .orderBy('u.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows;
}

const columns: readonly ExportColumn<VipUsageRow>[] = [
  { key: 'at', label: '时间', kind: 'instant', value: (row) => row.at },
  { key: 'vipNo', label: 'VIP编号', value: (row) => row.vipNo },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'orderId', label: '订单', value: (row) => row.orderId },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'kind', label: '类别', dictionary: vipUsageKinds, value: (row) => row.kind },
  { key: 'amountFen', label: '金额（元）', kind: 'money', value: (row) => row.amountFen },
  { key: 'month', label: '预算月份', value: (row) => row.month },
  { key: 'released', label: '已释放', kind: 'flag', value: (row) => row.released },
];

/** What orders took out of the budgets and gave back. */
export const usageExport = exportSource({
  call: exportVipUsageList,
  title: 'VIP使用明细',
  routeKey: 'channelVip',
  permission: channelPermissions['vip.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), usageQuery(db, staff, filter)),
  chunks: ({ db, staff, filter }) =>
    chunksDown((before, limit) => readUsages(usageQuery(db, staff, filter).where('u.id', '<', before), { limit, offset: 0 })),
});

export const listUsages = query(queryVipUsageList, async ({ pageNo, pageSize, ...filter }, ctx) => {
  const matching = usageQuery(ctx.db, ctx.staff, filter);
  return {
    rows: await readUsages(matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
    total: await totalUpTo(own(ctx.db), matching),
  };
});
