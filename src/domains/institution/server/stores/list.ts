import { sql } from 'kysely';
import { dayOf, daysBetween, plusDays, type Instant, type Day, startOfDay } from '#kernel/contract/time.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { isOpenAt, showSpans, spansOf, type Holiday, type WeekHours, weekDayOf } from '../../contract/opening.ts';
import { exportDrugstoreList, queryDrugstoreList } from '../../contract/storeCalls.ts';
import { own } from '../database.ts';
import { storesSeen, storeScope } from '../access.ts';
import { contains, elsewhere, hasAll, inRegion, isNumber } from '#kernel/server/list/conditions.ts';
import { boxAround, EARTH_RADIUS_M, type Point } from '../../contract/geometry.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { objectType } from '#kernel/server/objectTypes.ts';

/** Whether a store serves now, and today's hours in words. */
export const openingOf = (store: { state: string; weekHours: unknown }, holidays: readonly Holiday[], now: Instant) => {
  const week = store.weekHours as WeekHours;
  return { openNow: store.state === 'OPEN' && isOpenAt(now, week, holidays), todayHours: showSpans(spansOf(dayOf(now), week, holidays)) };
};

/** The nearest first where a place is given, else the newest. */
export const storeList = listOf(queryDrugstoreList)
  .from(({ db, staff }) => storesSeen(own(db), staff))
  .with({
    where: {
      storeNo: isNumber('s.storeNo'),
      name: contains('s.name'),
      chainId: 's.chainId',
      storeTags: hasAll('s.storeTags'),
      capabilities: hasAll('s.capabilities'),
      adcode: inRegion('s.adcode'),
      state: 's.state',
      openAt: (_eb, at) => openSql(at),
      openNow: (_eb, open, { now }) =>
        open ? sql<boolean>`(s.state = 'OPEN' and ${openSql(now)})` : sql<boolean>`not (s.state = 'OPEN' and ${openSql(now)})`,
      expireWithin: (eb, days, { today }) => eb('s.nextExpireOn', '<=', plusDays(today, days)),
      nearLatE6: (_eb, _lat, { filter }) => isNear(filter),
      nearLngE6: elsewhere,
      radiusM: elsewhere,
      goodsCode: (_eb, code, { today }) =>
        sql<boolean>`
          exists (
            select from institution_store_goods g
              where g.store_id = s.id and g.goods_code = ${code} and g.effective_from <= ${today}::date and g.in_stock
          )`,
    },
    order: ({ filter }) => {
      const near = nearOf(filter);
      return near
        ? [
            [distanceSql(near), 'asc'],
            ['s.storeNo', 'asc'],
          ]
        : [];
    },
    id: 's.id',
    sorts: { storeNo: 's.storeNo', name: 's.name', updatedAt: 's.updatedAt' },
    select(query, { filter, today }) {
      const near = nearOf(filter);
      return query.select([
        's.id',
        's.storeNo',
        's.name',
        's.chainId',
        's.chainStoreCode',
        's.storeTags',
        's.capabilities',
        's.adcode',
        's.address',
        's.lngE6',
        's.latE6',
        's.phone',
        's.nextExpireOn',
        's.deliveryRadiusM',
        's.state',
        's.suspendReason',
        's.makerId',
        's.version',
        's.updatedAt',
        's.weekHours',
        sql<string | null>`(select c.name from institution_chain c where c.id = s.chain_id)`.as('chainName'),
        sql<boolean>`
          exists (
            select from institution_store_change q where q.owner_type = 'DRUGSTORE' and q.owner_id = s.id and q.state = 'PENDING'
          )`.as('changePending'),
        sql<Holiday[] | null>`(
          select jsonb_agg(jsonb_build_object('day', y.day, 'spans', y.spans))
            from institution_store_holiday y
            where y.store_id = s.id and y.day in (${today}::date, ${plusDays(today, -1)}::date)
        )`.as('holidays'),
        (near ? distanceSql(near) : sql<number | null>`null::int`).as('distanceM'),
      ]);
    },
    async present(rows, { db, staff, now, today }) {
      const regions = await regionsOf(
        db,
        rows.map(({ adcode }) => adcode),
      );
      return rows.map(({ weekHours, holidays, makerId, ...row }) => ({
        ...row,
        region: regionText(regions, row.adcode),
        expireDays: row.nextExpireOn === null ? null : daysBetween(today, row.nextExpireOn),
        mine: makerId === staff.userId,
        ...openingOf({ state: row.state, weekHours }, holidays ?? [], now),
      }));
    },
  });

export const storeExport = listExport(storeList, {
  call: exportDrugstoreList,
  title: '药店',
  routeKey: 'drugstoreManagement',
  columns: [
    'storeNo',
    'name',
    'chainName',
    'chainStoreCode',
    'storeTags',
    'capabilities',
    'region',
    'address',
    'phone',
    'todayHours',
    'nextExpireOn',
    'state',
    'suspendReason',
    'updatedAt',
  ],
});

const DEFAULT_RADIUS_M = 5000;

interface Near {
  nearLngE6?: number | undefined;
  nearLatE6?: number | undefined;
  radiusM?: number | undefined;
}
export const nearOf = (filter: Near): Point | null =>
  filter.nearLngE6 === undefined || filter.nearLatE6 === undefined ? null : { lngE6: filter.nearLngE6, latE6: filter.nearLatE6 };

/** R7 in SQL: haversine, rounded to metres; only behind the bounding box. */
export const distanceSql = ({ lngE6, latE6 }: Point) =>
  sql<number>`
    round(
      (
        2 * ${EARTH_RADIUS_M}::float8 * asin(
          least(
            1,
            sqrt(
              power(
                sin(radians((${latE6}::float8 - s.lat_e6) / 1e6) / 2), 2
              ) + cos(radians(s.lat_e6 / 1e6::float8)) * cos(radians(${latE6}::float8 / 1e6)) * power(
                sin(radians((${lngE6}::float8 - s.lng_e6) / 1e6) / 2), 2
              )
            )
          )
        )
      )::numeric
    )::int`;

/** Spans that begin on a day: its holiday row's, else the week's. */
const spansSql = (day: Day) =>
  sql`
    jsonb_array_elements(
      coalesce((
        select y.spans from institution_store_holiday y where y.store_id = s.id and y.day = ${day}::date
      ), s.week_hours -> ${weekDayOf(day)}, '[]'::jsonb)
    )`;
/** R4 in SQL; `opening.ts` says the same for one store. */
const openSql = (at: Instant) => {
  const day = dayOf(at);
  const minute = Math.floor((Date.parse(at) - Date.parse(startOfDay(day))) / 60_000);
  const covers = (spans: ReturnType<typeof spansSql>, now: number) =>
    sql`exists (select from ${spans} as e where (e ->> 'from')::int <= ${now}::int and (e ->> 'to')::int > ${now}::int)`;
  return sql<boolean>`(${covers(spansSql(day), minute)} or ${covers(spansSql(plusDays(day, -1)), minute + 1440)})`;
};

/** Within the radius of the place that is asked for, if one is. */
function isNear(filter: Near) {
  const near = nearOf(filter);
  if (!near) return undefined;
  const radius = filter.radiusM ?? DEFAULT_RADIUS_M;
  const box = boxAround(near, radius);
  return sql<boolean>`(
    s.lat_e6 between ${box.south} and ${box.north} and s.lng_e6 between ${box.west} and ${box.east} and ${distanceSql(near)} <= ${radius}
  )`;
}

interface Wish {
  keyword?: string | undefined;
  ids?: readonly string[] | undefined;
  limit: number;
}

/** Drugstores for a picker of another domain; asked by id, also those that are closed. */
export async function storeOptions(db: Db | Tx, { keyword, ids, limit }: Wish): Promise<{ value: string; label: string }[]> {
  let query = own(db).selectFrom('institutionDrugstore as s').select(['s.id as value', 's.name as label']);
  query = ids ? query.where('s.id', 'in', [...ids]) : query.where('s.state', '=', 'OPEN');
  if (keyword)
    query = query.where((eb) =>
      eb.or([eb('s.name', 'ilike', containsPattern(keyword)), eb('s.storeNo', 'ilike', containsPattern(keyword))]),
    );
  return query.orderBy('s.id').limit(limit).execute();
}

/** Drugstores that carry marks. */
export const storeObjects = objectType({
  code: 'DRUGSTORE',
  seen: (viewer) => sql`select s.id, s.store_no as no, s.name from institution_drugstore s where ${scopeFilter(storeScope, viewer)}`,
  link: ({ id }) => ({ path: '/drugstoreManagement', search: { storeId: id } }),
});
