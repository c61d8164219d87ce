import { sql } from 'kysely';
import { dayOf, daysBetween, plusDays, type Instant } from '../../../../kernel/contract/time.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { regionsOf } from '../../../identity/server/index.ts';
import { isOpenAt, showSpans, spansOf, type Holiday, type WeekHours } from '../../contract/opening.ts';
import { exportDrugstoreList, queryDrugstoreList } from '../../contract/storeCalls.ts';
import { own } from '../database.ts';
import { regionText } from '../regions.ts';
import { storesSeen } from '../access.ts';
import { distanceSql, isNear, nearOf, openSql } from './find.ts';
import { contains, elsewhere, hasAll, inRegion, isNumber } from '../../../../kernel/server/list/conditions.ts';

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
