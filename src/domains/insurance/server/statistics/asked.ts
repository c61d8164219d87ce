import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { daysBetween, plusDays, type Day, type Instant } from '#kernel/contract/time.ts';
import { regionPrefix, scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { MOST_MONTHS, type StatFilter } from '../../contract/statistics/calls.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';

export interface Period {
  /** Both included. */
  from: Day;
  to: Day;
}

export const nextMonth = (month: string, by = 1): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 + by;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
};
const lastDay = (month: string): Day => plusDays(`${nextMonth(month)}-01`, -1);
export const periodOf = (from: string, to: string): Period => ({ from: `${from}-01`, to: lastDay(to) });

export function monthsOf(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = nextMonth(month)) months.push(month);
  return months;
}

/** @throws Refusal SCM12070 for more than 24 months; SCM90040 for what an insurer's people may not see */
export async function requireAsked(db: Db, staff: Viewer, filter: StatFilter): Promise<void> {
  if (filter.to < filter.from) throw refuseField('to', '结束月份不能早于开始月份');
  if (nextMonth(filter.from, MOST_MONTHS) <= filter.to) throw refuse(insuranceErrors.PERIOD_TOO_LONG);
  const { insurer } = staff.scope;
  if (insurer === null) return;
  if (filter.insurerIds?.some((id) => !insurer.includes(id))) throw refuse(platformErrors.NOT_FOUND);
  if (!filter.productIds || filter.productIds.length === 0) return;
  const seen = await own(db)
    .selectFrom('insuranceProduct as p')
    .select('p.id')
    .where('p.id', 'in', filter.productIds)
    .where(scopeFilter(insurerScope('p.insurerId'), staff))
    .execute();
  if (seen.length !== new Set(filter.productIds).size) throw refuse(platformErrors.NOT_FOUND);
}

/** The same months before, or a year earlier. */
export function comparedWith(filter: StatFilter, compare: 'PREV' | 'YOY'): StatFilter {
  const by = compare === 'YOY' ? -12 : -monthsOf(filter.from, filter.to).length;
  return { ...filter, from: nextMonth(filter.from, by), to: nextMonth(filter.to, by) };
}

/** Rows of a projection (`alias`) that are asked for and may be seen. */
export function rowsSeen(alias: string, filter: StatFilter, staff: Viewer): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const conditions: RawBuilder<unknown>[] = [
    scopeFilter(
      scopedResource({ region: { column: `${alias}.adcode` }, insurer: { column: `${alias}.insurerId` }, channel: 'free', own: 'free' }),
      staff,
    ),
  ];
  if (filter.insurerIds?.length) conditions.push(sql`${column('insurerId')} = any(${filter.insurerIds}::bigint[])`);
  if (filter.productIds?.length) conditions.push(sql`${column('productId')} = any(${filter.productIds}::bigint[])`);
  if (filter.productLines?.length) conditions.push(sql`${column('productLine')} = any(${filter.productLines}::text[])`);
  if (filter.adcodes?.length) {
    const patterns = filter.adcodes.map((adcode) => `${regionPrefix(adcode)}%`);
    conditions.push(sql`${column('adcode')} like any(${patterns}::text[])`);
  }
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** Until when the figures are whole: the oldest thing that is still missing or undelivered. */
export async function standOf(db: Db, now: Instant): Promise<{ dataAsOf: Instant; lagSeconds: number }> {
  const { rows } = await sql<{ since: Instant | null }>`select least(
      (select min(since) from insurance_stat_gap),
      (select min(o.at) from kernel_outbox_delivery d join kernel_outbox o on o.id = d.outbox_id
        where d.state = 'PENDING' and d.consumer like 'insurance:%' and o.at < ${now}::timestamptz)) as since`.execute(db);
  const since = rows[0]?.since ?? null;
  return since === null
    ? { dataAsOf: now, lagSeconds: 0 }
    : { dataAsOf: since, lagSeconds: Math.max(0, Math.round((Date.parse(now) - Date.parse(since)) / 1000)) };
}

export const daysOf = ({ from, to }: Period): number => daysBetween(from, to) + 1;
