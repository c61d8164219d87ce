import { sql } from 'kysely';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportVipUsageList, queryVipUsageList } from '../../contract/calls/vips.ts';
import { seesChannel } from '../access.ts';
import { holdsNumber, own } from '../database.ts';

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
    where: { vipId: 'u.vipId', vipNo: holdsNumber('v.vipNo'), kind: 'u.kind' },
    id: 'u.id',
    sorts: { at: 'u.at' },
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
          sql<boolean>`
            exists (select from channel_vip_usage r where r.vip_id = u.vip_id and r.order_id = u.order_id and r.kind = 'RELEASE')`.as(
            'released',
          ),
        ),
    present: (rows) => rows,
  });

export const usageExport = listExport(usageList, {
  call: exportVipUsageList,
  title: 'VIP使用明细',
  routeKey: 'channelVip',
  columns: ['at', 'vipNo', 'channelName', 'orderId', 'doctorName', 'kind', 'amountFen', 'month', 'released'],
});
