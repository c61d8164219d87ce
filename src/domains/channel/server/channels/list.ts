import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { elsewhere, inRegion } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { channelFieldKeys, exportChannelList, queryChannelList, type ChannelRow } from '../../contract/calls/channels.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { holds, holdsNumber, own } from '../database.ts';
import { requirePeriod } from './stat.ts';

const channelsSeen = (db: Db, viewer: Viewer) =>
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

/** Channels with the sums of a period; visitors are counted over the whole period, never summed by days. */
function selected(query: ReturnType<typeof channelsSeen>, period: { from: Day; to: Day }) {
  const scans = sql`from channel_qr_scan s where s.channel_id = c.id and s.counted
    and s.at >= ${startOfDay(period.from)}::timestamptz and s.at < ${startOfDay(plusDays(period.to, 1))}::timestamptz`;
  return query
    .select(channelFieldKeys.map((key) => `c.${key}` as const))
    .select(['c.id', 'c.channelNo', 'c.parentId', 'p.name as parentName', 'c.depth', 'c.channelType', 'a.name as agentName'])
    .select(['c.state', 'c.version', 'c.createdAt'])
    .select([
      sql<string[]>`c.path::text[]`.as('path'),
      sql<string[]>`array(select n.name from channel_channel n where n.id = any(c.path) order by n.depth)`.as('pathNames'),
      sql<number>`(select count(*)::int from channel_qr_code q where q.channel_id = c.id)`.as('codeCount'),
      sql<number>`(
        select coalesce(sum(d.pv), 0)::int
          from channel_daily d
          where d.channel_id = c.id and d.day between ${period.from}::date and ${period.to}::date
      )`.as('pv'),
      sql<number>`(select count(distinct s.visitor_id)::int ${scans})`.as('uv'),
      count(['REGISTER_DOCTOR'], period).as('newDoctors'),
      count(['REGISTER_PATIENT'], period).as('newPatients'),
      count(['FIRST_ORDER'], period).as('firstOrders'),
      sql<string>`(
        select coalesce(sum(d.pay_fen), 0)
          from channel_daily d
          where d.channel_id = c.id and d.day between ${period.from}::date and ${period.to}::date
      )`.as('payFen'),
    ]);
}
export const channelList = listOf(queryChannelList)
  .from(({ db, staff, filter, today }) => {
    requirePeriod(periodOf(filter, today));
    return channelsSeen(db, staff);
  })
  .with({
    where: {
      id: 'c.id',
      channelNo: holdsNumber('c.channelNo'),
      name: holds('c.name'),
      channelType: 'c.channelType',
      agentId: 'c.agentId',
      companyId: 'c.companyId',
      adcode: inRegion('c.adcode'),
      state: 'c.state',
      parentId: (_eb, id) => sql<SqlBool>`c.path @> array[${id}::bigint]`,
      // They limit the sums.
      from: elsewhere,
      to: elsewhere,
    },
    id: 'c.id',
    sorts: {
      channelNo: 'c.channelNo',
      startDate: 'c.startDate',
      endDate: 'c.endDate',
      costFen: 'c.costFen',
      codeCount: sql.ref('codeCount'),
      pv: sql.ref('pv'),
      newDoctors: sql.ref('newDoctors'),
      newPatients: sql.ref('newPatients'),
      firstOrders: sql.ref('firstOrders'),
      payFen: sql.ref('payFen'),
    },
    bounded: 'channels are some thousands that people make by hand',
    select: (query, { filter, today }) => selected(query, periodOf(filter, today)),
    present: (rows) => rows,
  });

/** One channel as the list shows it, with the sums of the last 30 days. */
export async function channelById(db: Db, viewer: Viewer, id: string, today: Day): Promise<ChannelRow | null> {
  const row = await selected(channelsSeen(db, viewer), periodOf({}, today)).where('c.id', '=', id).executeTakeFirst();
  return row ?? null;
}

export const channelExport = listExport(channelList, {
  call: exportChannelList,
  title: '渠道管理',
  routeKey: 'channelManagement',
  columns: [
    'channelNo',
    'pathNames',
    'channelType',
    'ownerName',
    'agentName',
    'startDate',
    'endDate',
    'codeCount',
    'pv',
    'uv',
    'newDoctors',
    'newPatients',
    'firstOrders',
    'payFen',
    'costFen',
    'state',
  ],
});
