import { sql } from 'kysely';
import { dayOf, daysBetween, plusDays, type Instant } from '../../../../kernel/contract/time.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { regionsOf } from '../../../identity/server/index.ts';
import { isOpenAt, showSpans, spansOf, type Holiday, type WeekHours } from '../../contract/opening.ts';
import type { StoreRow } from '../../contract/storeCalls.ts';
import type { Seer } from '../access.ts';
import { ownDb, type InstitutionDb } from '../database.ts';
import { regionText } from '../regions.ts';
import { distanceSql, nearOf, storesOf, type StoreFilter } from './find.ts';

/** Whether a store serves now, and today's hours in words. */
export const openingOf = (store: { state: string; weekHours: unknown }, holidays: readonly Holiday[], now: Instant) => {
  const week = store.weekHours as WeekHours;
  return { openNow: store.state === 'OPEN' && isOpenAt(now, week, holidays), todayHours: showSpans(spansOf(dayOf(now), week, holidays)) };
};

const filled = (query: ReturnType<typeof storesOf>, filter: StoreFilter, now: Instant) => {
  const near = nearOf(filter);
  const today = dayOf(now);
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
    sql<boolean>`exists (select from institution_store_change q where q.owner_type = 'DRUGSTORE' and q.owner_id = s.id and q.state = 'PENDING')`.as(
      'changePending',
    ),
    sql<
      Holiday[] | null
    >`(select jsonb_agg(jsonb_build_object('day', y.day, 'spans', y.spans)) from institution_store_holiday y where y.store_id = s.id and y.day in (${today}::date, ${plusDays(today, -1)}::date))`.as(
      'holidays',
    ),
    (near ? distanceSql(near) : sql<number | null>`null::int`).as('distanceM'),
  ]);
};

async function present(
  db: Db,
  rows: readonly Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>[],
  now: Instant,
  userId: string,
): Promise<StoreRow[]> {
  const regions = await regionsOf(
    db,
    rows.map(({ adcode }) => adcode),
  );
  const today = dayOf(now);
  return rows.map(({ weekHours, holidays, makerId, ...row }) => ({
    ...row,
    region: regionText(regions, row.adcode),
    expireDays: row.nextExpireOn === null ? null : daysBetween(today, row.nextExpireOn),
    mine: makerId === userId,
    ...openingOf({ state: row.state, weekHours }, holidays ?? [], now),
  }));
}

export async function listStores(db: Db, filter: StoreFilter, seer: Seer, now: Instant, paging: { pageNo: number; pageSize: number }) {
  const own: InstitutionDb = ownDb(db);
  const query = storesOf(own, filter, seer, now);
  const near = nearOf(filter);
  const rows = await filled(query, filter, now)
    .$if(near !== null, (select) => select.orderBy('distanceM').orderBy('s.storeNo'))
    .$if(near === null, (select) => select.orderBy('s.id', 'desc'))
    .limit(paging.pageSize)
    .offset(offsetOf(paging))
    .execute();
  return { rows: await present(db, rows, now, seer.userId), total: await totalUpTo(own, query) };
}

export async function* storeChunks(db: Db, filter: StoreFilter, seer: Seer, now: Instant): AsyncGenerator<StoreRow[]> {
  let after = '0';
  for (;;) {
    const rows = await filled(storesOf(ownDb(db), filter, seer, now), filter, now)
      .where('s.id', '>', after)
      .orderBy('s.id')
      .limit(1000)
      .execute();
    if (rows.length === 0) return;
    yield await present(db, rows, now, seer.userId);
    after = rows.at(-1)!.id;
  }
}
