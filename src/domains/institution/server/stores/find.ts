import { sql } from 'kysely';
import { type Instant, type Day, dayOf, plusDays, startOfDay } from '../../../../kernel/contract/time.ts';
import { boxAround, EARTH_RADIUS_M, type Point } from '../../contract/geometry.ts';
import { weekDayOf } from '../../contract/opening.ts';

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
export const openSql = (at: Instant) => {
  const day = dayOf(at);
  const minute = Math.floor((Date.parse(at) - Date.parse(startOfDay(day))) / 60_000);
  const covers = (spans: ReturnType<typeof spansSql>, now: number) =>
    sql`exists (select from ${spans} as e where (e ->> 'from')::int <= ${now}::int and (e ->> 'to')::int > ${now}::int)`;
  return sql<boolean>`(${covers(spansSql(day), minute)} or ${covers(spansSql(plusDays(day, -1)), minute + 1440)})`;
};

/** Within the radius of the place that is asked for, if one is. */
export function isNear(filter: Near) {
  const near = nearOf(filter);
  if (!near) return undefined;
  const radius = filter.radiusM ?? DEFAULT_RADIUS_M;
  const box = boxAround(near, radius);
  return sql<boolean>`(
    s.lat_e6 between ${box.south} and ${box.north} and s.lng_e6 between ${box.west} and ${box.east} and ${distanceSql(near)} <= ${radius}
  )`;
}
