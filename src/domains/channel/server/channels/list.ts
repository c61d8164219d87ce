import { channelTypes } from '../../contract/dictionaries.ts';
import { channelStates } from '../../contract/states.ts';
import { demandPeriod } from './stat.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { plusDays, startOfDay, type Day } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { elsewhere, inRegion } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportChannelList, queryChannelList, type ChannelRow } from '../../contract/calls/channels.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';

/** Channels with the names of what they point at, as somebody may see them. */
const channels = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('channelChannel as c')
    .leftJoin('channelChannel as p', 'p.id', 'c.parentId')
    .leftJoin('channelRefCopy as a', (join) => join.onRef('a.refId', '=', 'c.agentId').on('a.kind', '=', 'AGENT'))
    .where(seesChannel(viewer));

/** The period of the sums: the last 30 days unless the operator chose others. */
export const periodOf = (filter: { from?: Day | undefined; to?: Day | undefined }, today: Day) => ({
  from: filter.from ?? plusDays(filter.to ?? today, -29),
  to: filter.to ?? today,
});

const count = (kinds: readonly string[], period: { from: Day; to: Day }): RawBuilder<number> => sql<number>`
  (select count(*)::int from channel_scan_conversion v where v.channel_id = c.id and v.kind = any(${[...kinds]}::text[])
     and v.at >= ${startOfDay(period.from)}::timestamptz and v.at < ${startOfDay(plusDays(period.to, 1))}::timestamptz)`;

/** With the sums of a period; visitors are counted over the whole period, never summed by days. */
const selected = (rows: ReturnType<typeof channels>, period: { from: Day; to: Day }) => {
  const scans = sql`from channel_qr_scan s where s.channel_id = c.id and s.counted
    and s.at >= ${startOfDay(period.from)}::timestamptz and s.at < ${startOfDay(plusDays(period.to, 1))}::timestamptz`;
  return rows
    .select([
      'c.id',
      'c.channelNo',
      'c.parentId',
      'p.name as parentName',
      'c.depth',
      'c.name',
      'c.channelType',
      'c.ownerId',
      'c.ownerName',
      'c.agentId',
      'a.name as agentName',
      'c.companyId',
      'c.productLineId',
      'c.adcode',
      'c.startDate',
      'c.endDate',
      'c.tags',
      'c.remark',
      'c.costFen',
      'c.costNote',
      'c.state',
      'c.version',
      'c.createdAt',
    ])
    .select([
      sql<string[]>`c.path::text[]`.as('path'),
      sql<string[]>`array(select n.name from channel_channel n where n.id = any(c.path) order by n.depth)`.as('pathNames'),
      sql<number>`(select count(*)::int from channel_qr_code q where q.channel_id = c.id)`.as('codeCount'),
      sql<number>`(select coalesce(sum(d.pv), 0)::int from channel_daily d where d.channel_id = c.id and d.day between ${period.from}::date and ${period.to}::date)`.as(
        'pv',
      ),
      sql<number>`(select count(distinct s.visitor_id)::int ${scans})`.as('uv'),
      count(['REGISTER_DOCTOR'], period).as('newDoctors'),
      count(['REGISTER_PATIENT'], period).as('newPatients'),
      count(['FIRST_ORDER'], period).as('firstOrders'),
      sql<string>`(select coalesce(sum(d.pay_fen), 0)::text from channel_daily d where d.channel_id = c.id and d.day between ${period.from}::date and ${period.to}::date)`.as(
        'payFen',
      ),
    ]);
};
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;
const present = (row: Selected): ChannelRow => ({
  ...row,
  channelType: row.channelType as ChannelRow['channelType'],
  state: row.state as ChannelRow['state'],
});

/** One channel with the sums of the last 30 days; undefined where somebody does not see it. */
export async function readChannel(db: Db, viewer: Viewer, id: string, today: Day): Promise<ChannelRow | undefined> {
  const row = await selected(channels(db, viewer), periodOf({}, today)).where('c.id', '=', id).executeTakeFirst();
  return row && present(row);
}

export const channelList = listOf(queryChannelList)
  .from(({ db, staff, filter, today }) => {
    demandPeriod(periodOf(filter, today));
    return channels(db, staff);
  })
  .with({
    where: {
      id: 'c.id',
      channelNo: (eb, text) => eb('c.channelNo', 'like', like(text.toUpperCase())),
      name: (eb, text) => eb('c.name', 'like', like(text)),
      channelType: 'c.channelType',
      agentId: 'c.agentId',
      companyId: 'c.companyId',
      adcode: inRegion('c.adcode'),
      state: 'c.state',
      parentId: (_eb, parentId) => sql<SqlBool>`c.path @> array[${parentId}::bigint]`,
      // The period of the sums.
      from: elsewhere,
      to: elsewhere,
    },
    id: 'c.id',
    select: (query, { filter, today }) => selected(query, periodOf(filter, today)),
    present: (rows) => rows.map(present),
  });

const columns: readonly ExportColumn<ChannelRow>[] = [
  { key: 'channelNo', label: '渠道编号', value: (row) => row.channelNo },
  { key: 'name', label: '名称', width: 30, value: (row) => row.pathNames.join(' / ') },
  { key: 'channelType', label: '类型', dictionary: channelTypes, value: (row) => row.channelType },
  { key: 'ownerName', label: '归属方', value: (row) => row.ownerName },
  { key: 'agentName', label: '代表', value: (row) => row.agentName },
  { key: 'startDate', label: '开始日期', kind: 'day', value: (row) => row.startDate },
  { key: 'endDate', label: '结束日期', kind: 'day', value: (row) => row.endDate },
  { key: 'codeCount', label: '码数', kind: 'int', value: (row) => row.codeCount },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'uv', label: '扫码人数', kind: 'int', value: (row) => row.uv },
  { key: 'newDoctors', label: '新增医生', kind: 'int', value: (row) => row.newDoctors },
  { key: 'newPatients', label: '新增患者', kind: 'int', value: (row) => row.newPatients },
  { key: 'firstOrders', label: '首单', kind: 'int', value: (row) => row.firstOrders },
  { key: 'payFen', label: '支付金额（元）', kind: 'money', value: (row) => row.payFen },
  { key: 'costFen', label: '投放费用（元）', kind: 'money', value: (row) => row.costFen },
  { key: 'state', label: '状态', dictionary: channelStates.dictionary, value: (row) => row.state },
];

export const channelExport = listExport(channelList, {
  call: exportChannelList,
  title: '渠道管理',
  routeKey: 'channelManagement',
  columns,
});
