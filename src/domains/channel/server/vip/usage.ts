import { sql } from 'kysely';
import { type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportVipUsageList, queryVipUsageList, type VipUsageRow } from '../../contract/calls/vips.ts';
import { vipUsageKinds } from '../../contract/dictionaries.ts';
import { seesChannel } from '../access.ts';
import { like, own } from '../database.ts';

/** What orders took out of the budgets and gave back. */
export const usageList = listOf(queryVipUsageList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('channelVipUsage as u')
      .innerJoin('channelVip as v', 'v.id', 'u.vipId')
      .innerJoin('channelChannel as c', 'c.id', 'v.channelId')
      .where(seesChannel(staff)),
  )
  .with({
    where: {
      vipId: 'u.vipId',
      vipNo: (eb, text) => eb('v.vipNo', 'like', like(text.toUpperCase())),
      kind: 'u.kind',
    },
    id: 'u.id',
    select: (query) =>
      query
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
        ),
    present: (rows) => rows.map((row) => ({ ...row, kind: row.kind as VipUsageRow['kind'] })),
  });

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

export const usageExport = listExport(usageList, { call: exportVipUsageList, title: 'VIP使用明细', routeKey: 'channelVip', columns });
