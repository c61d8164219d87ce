import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportSkuPriceList, querySkuPriceList, type PriceRow } from '../../contract/calls/skus.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { namesOf } from '../access.ts';
import { own } from '../database.ts';

/** Prices that hold, held or will hold; supply prices for those alone who may see them. */
const prices = (db: Db, supply: boolean) =>
  own(db)
    .selectFrom('pharmaSkuPrice as p')
    .innerJoin('pharmaSku as s', 's.id', 'p.skuId')
    .innerJoin('pharmaMedicine as m', 'm.id', 's.medicineId')
    .where('p.revokedAt', 'is', null)
    .$if(!supply, (query) => query.where('p.priceType', '<>', 'SUPPLY'));

export const priceList = listOf(querySkuPriceList)
  .from(({ db, has }) => prices(db, has(may['price.supply'])))
  .with({
    where: {
      medicineId: 's.medicineId',
      skuId: 'p.skuId',
      goodsCode: isNumber('s.goodsCode'),
      priceType: 'p.priceType',
      period: (eb, period, { today }) =>
        period === 'FUTURE'
          ? eb('p.effectiveFrom', '>', today)
          : period === 'PAST'
            ? eb('p.effectiveTo', '<', today)
            : eb.and([eb('p.effectiveFrom', '<=', today), eb.or([eb('p.effectiveTo', 'is', null), eb('p.effectiveTo', '>=', today)])]),
      pending: (eb, pending) => eb('p.priceApplyId', pending ? 'is not' : 'is', null),
    },
    id: 'p.id',
    sorts: { goodsCode: 's.goodsCode', effectiveFrom: 'p.effectiveFrom', createdAt: 'p.id' },
    order: [['p.effectiveFrom', 'desc']],
    select: (query, { today }) =>
      query.select([
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
      ]),
    async present(rows, { db }) {
      const names = await namesOf(
        db,
        rows.map((row) => row.createdBy),
      );
      return rows.map(({ createdBy, provinceAdcode, ...row }) => ({
        ...row,
        priceFen: Number(row.priceFen),
        provinceAdcode: provinceAdcode === '' ? null : provinceAdcode,
        createdName: createdBy === null ? null : (names.get(createdBy) ?? null),
      }));
    },
  });

export const priceExport = listExport(priceList, {
  call: exportSkuPriceList,
  title: '商品价格',
  routeKey: 'medicineManagementTable',
  columns: [
    'goodsCode',
    'genericName',
    'packSpec',
    'priceType',
    'provinceAdcode',
    { key: 'priceFen', label: '价格（元）', kind: 'money', value: (row) => row.priceFen },
    'effectiveFrom',
    'effectiveTo',
    'reason',
  ],
});
