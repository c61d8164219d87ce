import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { plusDays, startOfDay, type Day } from '../../../../kernel/contract/time.ts';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { ChannelRow, queryChannelList } from '../../contract/calls/channels.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';

export type ChannelFilter = Omit<CheckedInputOf<typeof queryChannelList>, 'pageNo' | 'pageSize'>;

/** Channels of a filter, without columns and order. */
export function channelQuery(db: Db, viewer: Viewer, filter: ChannelFilter) {
  let query = own(db).selectFrom('channelChannel as c').where(seesChannel(viewer));
  if (filter.id) query = query.where('c.id', '=', filter.id);
  if (filter.channelNo) query = query.where('c.channelNo', 'like', like(filter.channelNo.toUpperCase()));
  if (filter.name) query = query.where('c.name', 'like', like(filter.name));
  if (filter.channelType?.length) query = query.where('c.channelType', 'in', filter.channelType);
  if (filter.agentId) query = query.where('c.agentId', '=', filter.agentId);
  if (filter.companyId) query = query.where('c.companyId', '=', filter.companyId);
  if (filter.adcode) query = query.where('c.adcode', 'like', `${filter.adcode.replace(/(00)+$/, '')}%`);
  if (filter.state?.length) query = query.where('c.state', 'in', filter.state);
  if (filter.parentId) query = query.where(sql<SqlBool>`c.path @> array[${filter.parentId}::bigint]`);
  return query;
}

/** The period of the sums: the last 30 days unless the operator chose others. */
export const periodOf = (filter: { from?: Day | undefined; to?: Day | undefined }, today: Day) => ({
  from: filter.from ?? plusDays(filter.to ?? today, -29),
  to: filter.to ?? today,
});

const count = (kinds: readonly string[], period: { from: Day; to: Day }): RawBuilder<number> => sql<number>`
  (select count(*)::int from channel_scan_conversion v where v.channel_id = c.id and v.kind = any(${[...kinds]}::text[])
     and v.at >= ${startOfDay(period.from)}::timestamptz and v.at < ${startOfDay(plusDays(period.to, 1))}::timestamptz)`;

/** Channels with the sums of a period; visitors are counted over the whole period, never summed by days. */
export async function readChannels(
  query: ReturnType<typeof channelQuery>,
  period: { from: Day; to: Day },
  page: { limit: number; offset: number },
): Promise<ChannelRow[]> {
  const scans = sql`from channel_qr_scan s where s.channel_id = c.id and s.counted
    and s.at >= ${startOfDay(period.from)}::timestamptz and s.at < ${startOfDay(plusDays(period.to, 1))}::timestamptz`;
  const rows = await query
    .leftJoin('channelChannel as p', 'p.id', 'c.parentId')
    .leftJoin('channelRefCopy as a', (join) => join.onRef('a.refId', '=', 'c.agentId').on('a.kind', '=', 'AGENT'))
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
    ])
    .orderBy('c.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
  }));
}
