import { sql } from 'kysely';
import { type Instant, type Day, dayOf, plusDays, startOfDay } from '../../../../kernel/contract/time.ts';
import { regionPrefix } from '../../../../kernel/server/auth/scope.ts';
import { boxAround, EARTH_RADIUS_M, type Point } from '../../contract/geometry.ts';
import type { StoreState } from '../../contract/states.ts';
import { weekDayOf } from '../../contract/opening.ts';
import { storesSeen, type Seer } from '../access.ts';
import { likeText, type InstitutionDb } from '../database.ts';

export interface StoreFilter {
  storeNo?: string | undefined;
  name?: string | undefined;
  chainId?: string | undefined;
  storeTags?: readonly string[] | undefined;
  capabilities?: readonly string[] | undefined;
  adcode?: string | undefined;
  state?: readonly StoreState[] | undefined;
  openAt?: Instant | undefined;
  openNow?: boolean | undefined;
  expireWithin?: number | undefined;
  nearLngE6?: number | undefined;
  nearLatE6?: number | undefined;
  radiusM?: number | undefined;
  goodsCode?: string | undefined;
}
export const DEFAULT_RADIUS_M = 5000;

export const nearOf = (filter: StoreFilter): Point | null =>
  filter.nearLngE6 === undefined || filter.nearLatE6 === undefined ? null : { lngE6: filter.nearLngE6, latE6: filter.nearLatE6 };

/** R7 in SQL: haversine, rounded to metres; only behind the bounding box. */
export const distanceSql = ({ lngE6, latE6 }: Point) =>
  sql<number>`round((2 * ${EARTH_RADIUS_M}::float8 * asin(least(1, sqrt(
    power(sin(radians((${latE6}::float8 - s.lat_e6) / 1e6) / 2), 2)
    + cos(radians(s.lat_e6 / 1e6::float8)) * cos(radians(${latE6}::float8 / 1e6)) * power(sin(radians((${lngE6}::float8 - s.lng_e6) / 1e6) / 2), 2)))))::numeric)::int`;

/** Spans that begin on a day: its holiday row's, else the week's. */
const spansSql = (day: Day) =>
  sql`jsonb_array_elements(coalesce((select y.spans from institution_store_holiday y where y.store_id = s.id and y.day = ${day}::date), s.week_hours -> ${weekDayOf(day)}, '[]'::jsonb))`;
/** R4 in SQL; `opening.ts` says the same for one store. */
const openSql = (at: Instant) => {
  const day = dayOf(at);
  const minute = Math.floor((Date.parse(at) - Date.parse(startOfDay(day))) / 60_000);
  const covers = (spans: ReturnType<typeof spansSql>, now: number) =>
    sql`exists (select from ${spans} as e where (e ->> 'from')::int <= ${now}::int and (e ->> 'to')::int > ${now}::int)`;
  return sql<boolean>`(${covers(spansSql(day), minute)} or ${covers(spansSql(plusDays(day, -1)), minute + 1440)})`;
};

/** Stores of the list's filters, within what the user may see. */
export function storesOf(db: InstitutionDb, filter: StoreFilter, seer: Seer, now: Instant) {
  let query = storesSeen(db, seer);
  if (filter.storeNo) query = query.where('s.storeNo', '=', filter.storeNo.toUpperCase());
  if (filter.name) query = query.where('s.name', 'ilike', likeText(filter.name));
  if (filter.chainId) query = query.where('s.chainId', '=', filter.chainId);
  if (filter.storeTags?.length) query = query.where(sql<boolean>`s.store_tags @> ${[...filter.storeTags]}::text[]`);
  if (filter.capabilities?.length) query = query.where(sql<boolean>`s.capabilities @> ${[...filter.capabilities]}::text[]`);
  if (filter.adcode) query = query.where('s.adcode', 'like', `${regionPrefix(filter.adcode)}%`);
  if (filter.state?.length) query = query.where('s.state', 'in', filter.state);
  if (filter.openAt) query = query.where(openSql(filter.openAt));
  if (filter.openNow !== undefined)
    query = query.where(
      filter.openNow ? sql<boolean>`s.state = 'OPEN' and ${openSql(now)}` : sql<boolean>`not (s.state = 'OPEN' and ${openSql(now)})`,
    );
  if (filter.expireWithin !== undefined) query = query.where('s.nextExpireOn', '<=', plusDays(dayOf(now), filter.expireWithin));
  if (filter.goodsCode) {
    query = query.where(
      sql<boolean>`exists (select from institution_store_goods g where g.store_id = s.id and g.goods_code = ${filter.goodsCode} and g.effective_from <= ${dayOf(now)}::date and g.in_stock)`,
    );
  }
  const near = nearOf(filter);
  if (near) {
    const radius = filter.radiusM ?? DEFAULT_RADIUS_M;
    const box = boxAround(near, radius);
    query = query
      .where('s.latE6', '>=', box.south)
      .where('s.latE6', '<=', box.north)
      .where('s.lngE6', '>=', box.west)
      .where('s.lngE6', '<=', box.east)
      .where(distanceSql(near), '<=', radius);
  }
  return query;
}
