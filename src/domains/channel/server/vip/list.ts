import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportChannelVipList, queryChannelVipList, type VipRow } from '../../contract/calls/vips.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { holds, holdsNumber, own } from '../database.ts';

const vipsSeen = (db: Db, viewer: Viewer) =>
  own(db).selectFrom('channelVip as v').innerJoin('channelChannel as c', 'c.id', 'v.channelId').where(seesChannel(viewer));

/** VIPs with what was used of their budgets, in total and in this month. */
const selected = (query: ReturnType<typeof vipsSeen>, today: Day) =>
  query
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
      sql<string>`
        coalesce((select m.used_fen from channel_vip_month m where m.vip_id = v.id and m.month = ${today.slice(0, 7)}), 0)`.as(
        'monthUsedFen',
      ),
      sql<string | null>`(select u.display_name from identity_staff_user u where u.id = v.maker_id)`.as('makerName'),
      sql<string | null>`(select u.display_name from identity_staff_user u where u.id = v.checker_id)`.as('checkerName'),
    ]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

const present = (row: Selected): VipRow => ({
  ...row,
  itemDiscounts: row.itemDiscounts as VipRow['itemDiscounts'],
});

export const vipList = listOf(queryChannelVipList)
  .from(({ db, staff }) => vipsSeen(db, staff))
  .with({
    where: {
      vipNo: holdsNumber('v.vipNo'),
      channelId: 'v.channelId',
      channelName: holds('c.name'),
      level: 'v.level',
      state: 'v.state',
      // Maker-checker: one's own submissions wait for somebody else.
      forMe: (eb, mine, { staff }) => (mine ? eb.and([eb('v.state', '=', 'PENDING'), eb('v.makerId', '<>', staff.userId)]) : undefined),
      endBefore: (eb, day) => eb('v.endDate', '<=', day),
    },
    id: 'v.id',
    last: {
      of: 'v.state',
      groups: [['EXPIRED', 'TERMINATED']],
    },
    sorts: {
      vipNo: 'v.vipNo',
      defaultDiscountBp: 'v.defaultDiscountBp',
      priorityAcceptMin: 'v.priorityAcceptMin',
      patientQuota: 'v.patientQuota',
      monthlyBudgetFen: 'v.monthlyBudgetFen',
      totalBudgetFen: 'v.totalBudgetFen',
      usedFen: 'v.usedFen',
      startDate: 'v.startDate',
      endDate: 'v.endDate',
      memberCount: sql.ref('memberCount'),
      monthUsedFen: sql.ref('monthUsedFen'),
    },
    bounded: 'agreements with sponsors are some hundreds',
    select: (query, { today }) => selected(query, today),
    present: (rows) => rows.map(present),
  });

/** One VIP as the list shows it. */
export async function vipById(db: Db, viewer: Viewer, id: string, today: Day): Promise<VipRow | null> {
  const row = await selected(vipsSeen(db, viewer), today).where('v.id', '=', id).executeTakeFirst();
  return row ? present(row) : null;
}

export const vipExport = listExport(vipList, {
  call: exportChannelVipList,
  title: 'VIP渠道',
  routeKey: 'channelVip',
  columns: [
    'vipNo',
    'channelName',
    'level',
    'sponsorName',
    'defaultDiscountBp',
    'startDate',
    'endDate',
    'memberCount',
    'patientQuota',
    'monthUsedFen',
    'monthlyBudgetFen',
    'usedFen',
    'totalBudgetFen',
    'priorityAcceptMin',
    'state',
  ],
});
