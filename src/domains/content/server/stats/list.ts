import { sql } from 'kysely';
import { elsewhere } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { FilterOf } from '#kernel/server/list/listOf.ts';
import { positionCodes } from '../../contract/delivery/positions.ts';
import { ctrOf, exportContentStat, queryContentStat } from '../../contract/stats/calls.ts';
import { own } from '../database.ts';

type Filter = FilterOf<typeof queryContentStat>;

/** What rows are grouped by, and what each group is called. */
const groups = {
  day: { key: sql`s.day::text`, label: sql`s.day::text` },
  hour: { key: sql`lpad(s.hour::text, 2, '0')`, label: sql`lpad(s.hour::text, 2, '0') || ':00'` },
  content: { key: sql`d.delivery_no`, label: sql`d.delivery_no || ' ' || d.name` },
  position: { key: sql`d.position_code`, label: sql`d.position_code` },
  region: { key: sql`s.region`, label: sql`coalesce((select r.name from identity_region r where r.adcode = s.region), '未知')` },
} as const;

interface Row {
  id: string;
  label: string;
  impressions: number;
  viewers: number;
  clicks: number;
  closes: number;
}

function grouped({ kind, ids, positionCode, from, to, groupBy }: Filter) {
  const { key, label } = groups[groupBy];
  return sql<Row>`(select ${key} as id, min(${label}) as label, sum(s.impressions)::int as impressions, sum(s.viewers)::int as viewers,
      sum(s.clicks)::int as clicks, sum(s.closes)::int as closes
    from content_stat s join content_delivery d on d.id = s.delivery_id
    where s.day between ${from}::date and ${to}::date and d.kind = ${kind}
      and (${ids === undefined}::boolean or d.id = any(${ids ?? []}::bigint[]))
      and (${positionCode === undefined}::boolean or d.position_code = any(${positionCode ?? []}::text[]))
    group by ${key})`;
}

const perViewer = (impressions: number, viewers: number): string | null => (viewers === 0 ? null : (impressions / viewers).toFixed(1));

/** Counts of deliveries, by day, hour, delivery, place or region. */
export const statList = listOf(queryContentStat)
  .from(({ db, filter }) => own(db).selectFrom(grouped(filter).as('g')))
  .with({
    where: { kind: elsewhere, ids: elsewhere, positionCode: elsewhere, from: elsewhere, to: elsewhere, groupBy: elsewhere },
    id: 'g.id',
    unsorted: 'groups of time in their course, others by what is shown most',
    order: ({ filter }) => (filter.groupBy === 'day' || filter.groupBy === 'hour' ? [['g.id', 'asc']] : [['g.impressions', 'desc']]),
    bounded: 'groups of at most a year',
    select: (query) => query.select(['g.id', 'g.label', 'g.impressions', 'g.viewers', 'g.clicks', 'g.closes']),
    present: (rows, { filter }) =>
      rows.map((row) => ({
        ...row,
        label: filter.groupBy === 'position' ? positionCodes.label(row.label) : row.label,
        ctrBp: ctrOf(row.clicks, row.impressions),
        perViewer: perViewer(row.impressions, row.viewers),
      })),
  });

export const statExport = listExport(statList, { call: exportContentStat, title: '投放统计', routeKey: 'advertiseManage' });
