import { sql } from 'kysely';
import type { Day } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportChannelVipList, queryChannelVipList, type VipRow } from '../../contract/calls/vips.ts';
import { vipLevels } from '../../contract/dictionaries.ts';
import { vipStates } from '../../contract/states.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';

const vips = (db: Db, viewer: Viewer) =>
  own(db).selectFrom('channelVip as v').innerJoin('channelChannel as c', 'c.id', 'v.channelId').where(seesChannel(viewer));

/** With what was used of their budgets, in total and in this month. */
const selected = (rows: ReturnType<typeof vips>, today: Day) =>
  rows
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
    ]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;
const present = (row: Selected): VipRow => ({
  ...row,
  level: row.level as VipRow['level'],
  state: row.state as VipRow['state'],
  itemDiscounts: row.itemDiscounts as VipRow['itemDiscounts'],
});

/** One VIP; undefined where somebody does not see it. */
export async function readVip(db: Db, viewer: Viewer, id: string, today: Day): Promise<VipRow | undefined> {
  const row = await selected(vips(db, viewer), today).where('v.id', '=', id).executeTakeFirst();
  return row && present(row);
}

export const vipList = listOf(queryChannelVipList)
  .from(({ db, staff }) => vips(db, staff))
  .with({
    where: {
      vipNo: (eb, text) => eb('v.vipNo', 'like', like(text.toUpperCase())),
      channelId: 'v.channelId',
      channelName: (eb, text) => eb('c.name', 'like', like(text)),
      level: 'v.level',
      state: 'v.state',
      // Maker-checker: one's own submissions wait for somebody else.
      forMe: (eb, mine, { staff }) => (mine ? eb.and([eb('v.state', '=', 'PENDING'), eb('v.makerId', '<>', staff.userId)]) : undefined),
      endBefore: (eb, day) => eb('v.endDate', '<=', day),
    },
    id: 'v.id',
    select: (query, { today }) => selected(query, today),
    present: (rows) => rows.map(present),
  });

const columns: readonly ExportColumn<VipRow>[] = [
  { key: 'vipNo', label: 'VIP编号', value: (row) => row.vipNo },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'level', label: '等级', dictionary: vipLevels, value: (row) => row.level },
  { key: 'sponsorName', label: '出资方', value: (row) => row.sponsorName },
  { key: 'defaultDiscountBp', label: '默认折扣', kind: 'bp', value: (row) => row.defaultDiscountBp },
  { key: 'startDate', label: '开始日期', kind: 'day', value: (row) => row.startDate },
  { key: 'endDate', label: '结束日期', kind: 'day', value: (row) => row.endDate },
  { key: 'memberCount', label: '已用名额', kind: 'int', value: (row) => row.memberCount },
  { key: 'patientQuota', label: '名额', kind: 'int', value: (row) => row.patientQuota },
  { key: 'monthUsedFen', label: '本月已用（元）', kind: 'money', value: (row) => row.monthUsedFen },
  { key: 'monthlyBudgetFen', label: '月预算（元）', kind: 'money', value: (row) => row.monthlyBudgetFen },
  { key: 'usedFen', label: '已用（元）', kind: 'money', value: (row) => row.usedFen },
  { key: 'totalBudgetFen', label: '总预算（元）', kind: 'money', value: (row) => row.totalBudgetFen },
  { key: 'priorityAcceptMin', label: '接诊承诺（分钟）', kind: 'int', value: (row) => row.priorityAcceptMin },
  { key: 'state', label: '状态', dictionary: vipStates.dictionary, value: (row) => row.state },
];

export const vipExport = listExport(vipList, { call: exportChannelVipList, title: 'VIP渠道', routeKey: 'channelVip', columns });
