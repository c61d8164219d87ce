import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Day } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { queryChannelVipList, VipRow } from '../../contract/calls/vips.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';

export type VipFilter = Omit<CheckedInputOf<typeof queryChannelVipList>, 'pageNo' | 'pageSize'> & { id?: string };

export function vipQuery(db: Db, viewer: Viewer, filter: VipFilter) {
  let query = own(db).selectFrom('channelVip as v').innerJoin('channelChannel as c', 'c.id', 'v.channelId').where(seesChannel(viewer));
  if (filter.id) query = query.where('v.id', '=', filter.id);
  if (filter.vipNo) query = query.where('v.vipNo', 'like', like(filter.vipNo.toUpperCase()));
  if (filter.channelId) query = query.where('v.channelId', '=', filter.channelId);
  if (filter.channelName) query = query.where('c.name', 'like', like(filter.channelName));
  if (filter.level?.length) query = query.where('v.level', 'in', filter.level);
  if (filter.state?.length) query = query.where('v.state', 'in', filter.state);
  // Maker-checker: one's own submissions wait for somebody else.
  if (filter.forMe) query = query.where('v.state', '=', 'PENDING').where('v.makerId', '<>', viewer.userId);
  if (filter.endBefore) query = query.where('v.endDate', '<=', filter.endBefore);
  return query;
}

/** VIP rows with what was used of their budgets, in total and in this month. */
export async function readVips(query: ReturnType<typeof vipQuery>, today: Day, page: { limit: number; offset: number }): Promise<VipRow[]> {
  const rows = await query
    .select([
      'v.id',
      'v.vipNo',
      'v.channelId',
      'c.name as channelName',
      'v.level',
      'v.sponsorName',
      'v.defaultDiscountBp',
      'v.itemDiscounts',
      'v.priorityAcceptMin',
      'v.deskCode',
      'v.patientQuota',
      'v.monthlyBudgetFen',
      'v.totalBudgetFen',
      'v.usedFen',
      'v.startDate',
      'v.endDate',
      'v.previousVipId',
      'v.makerId',
      'v.state',
      'v.version',
      'v.createdAt',
    ])
    .select([
      sql<string[]>`v.contract_file_ids::text[]`.as('contractFileIds'),
      sql<number>`(select count(*)::int from channel_vip_member m where m.vip_id = v.id)`.as('memberCount'),
      sql<string>`coalesce((select m.used_fen from channel_vip_month m where m.vip_id = v.id and m.month = ${today.slice(0, 7)}), 0)::text`.as(
        'monthUsedFen',
      ),
      sql<string | null>`(select u.display_name from identity_staff_user u where u.id = v.maker_id)`.as('makerName'),
      sql<string | null>`(select u.display_name from identity_staff_user u where u.id = v.checker_id)`.as('checkerName'),
    ])
    .orderBy('v.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
    itemDiscounts: row.itemDiscounts as VipRow['itemDiscounts'],
  }));
}
