import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { dayOf, type Day } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportSkuPriceList, type PriceRow, type querySkuPriceList } from '../../contract/calls/skus.ts';
import { priceTypes } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { provinceName } from '../../contract/provinces.ts';
import { coded, namesOf } from '../access.ts';
import { pharmaDb, type PharmaDb } from '../database.ts';

export type PriceFilter = Omit<CheckedInputOf<typeof querySkuPriceList>, 'pageNo' | 'pageSize'>;

/** @param supply whether the asking role sees supply prices */
export function matchingPrices(db: PharmaDb, filter: PriceFilter, today: Day, supply: boolean) {
  let query = db
    .selectFrom('pharmaSkuPrice as p')
    .innerJoin('pharmaSku as s', 's.id', 'p.skuId')
    .select('p.id')
    .where('p.revokedAt', 'is', null);
  if (!supply) query = query.where('p.priceType', '<>', 'SUPPLY');
  if (filter.medicineId) query = query.where('s.medicineId', '=', filter.medicineId);
  if (filter.skuId) query = query.where('p.skuId', '=', filter.skuId);
  if (filter.goodsCode) query = query.where('s.goodsCode', '=', filter.goodsCode.toUpperCase());
  if (filter.priceType) query = query.where('p.priceType', 'in', filter.priceType);
  if (filter.pending !== undefined) query = query.where('p.priceApplyId', filter.pending ? 'is not' : 'is', null);
  if (filter.period === 'FUTURE') query = query.where('p.effectiveFrom', '>', today);
  if (filter.period === 'PAST') query = query.where('p.effectiveTo', '<', today);
  if (filter.period === 'NOW')
    query = query
      .where('p.effectiveFrom', '<=', today)
      .where((eb) => eb.or([eb('p.effectiveTo', 'is', null), eb('p.effectiveTo', '>=', today)]));
  return query;
}

export const priceRows = (db: PharmaDb, today: Day) =>
  db
    .selectFrom('pharmaSkuPrice as p')
    .innerJoin('pharmaSku as s', 's.id', 'p.skuId')
    .innerJoin('pharmaMedicine as m', 'm.id', 's.medicineId')
    .select([
      'p.id',
      'p.skuId',
      's.goodsCode',
      's.packSpec',
      's.medicineId',
      'm.genericName',
      'p.priceType',
      'p.provinceAdcode',
      'p.priceFen',
      'p.effectiveFrom',
      'p.effectiveTo',
      'p.reason',
      'p.priceApplyId',
      'p.createdBy',
      'p.createdAt',
      sql<
        PriceRow['period']
      >`case when p.effective_from > ${today}::date then 'FUTURE' when p.effective_to < ${today}::date then 'PAST' else 'NOW' end`.as(
        'period',
      ),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof priceRows>['executeTakeFirstOrThrow']>>;

export async function presentPrices(db: Db, rows: readonly Stored[]): Promise<PriceRow[]> {
  const names = await namesOf(
    db,
    rows.map((row) => row.createdBy),
  );
  return rows.map(({ createdBy, provinceAdcode, ...row }) => ({
    ...row,
    priceType: coded(priceTypes, row.priceType),
    priceFen: Number(row.priceFen),
    provinceAdcode: provinceAdcode === '' ? null : provinceAdcode,
    createdName: createdBy === null ? null : (names.get(createdBy) ?? null),
  }));
}

/** Supply prices leave the house only with the right to see them. */
export const priceExport = exportSource({
  call: exportSkuPriceList,
  title: '商品价格',
  routeKey: 'medicineManagementTable',
  permission: pharmaPermissions['price.export'].code,
  count: ({ db, filter, staff, now }) =>
    totalUpTo(db, matchingPrices(pharmaDb(db), filter, dayOf(now), staff.permissions.has(pharmaPermissions['price.supply'].code))),
  chunks: ({ db, filter, staff, now }) =>
    chunksById(async (after, limit) => {
      const own = pharmaDb(db);
      const today = dayOf(now);
      const seen = matchingPrices(own, filter, today, staff.permissions.has(pharmaPermissions['price.supply'].code));
      return presentPrices(
        db,
        await priceRows(own, today).where('p.id', 'in', seen).where('p.id', '>', after).orderBy('p.id').limit(limit).execute(),
      );
    }),
  columns: [
    { key: 'goodsCode', label: '商品编码', value: (row) => row.goodsCode },
    { key: 'genericName', label: '通用名', value: (row) => row.genericName, width: 24 },
    { key: 'packSpec', label: '包装规格', value: (row) => row.packSpec, width: 20 },
    { key: 'priceType', label: '价格类型', dictionary: priceTypes, value: (row) => row.priceType },
    { key: 'provinceAdcode', label: '省份', value: (row) => (row.provinceAdcode === null ? null : provinceName(row.provinceAdcode)) },
    { key: 'priceFen', label: '价格（元）', kind: 'money', value: (row) => row.priceFen },
    { key: 'effectiveFrom', label: '生效日期', kind: 'day', value: (row) => row.effectiveFrom },
    { key: 'effectiveTo', label: '失效日期', kind: 'day', value: (row) => row.effectiveTo },
    { key: 'reason', label: '调价原因', value: (row) => row.reason, width: 30 },
  ],
});
