import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportStoreGoodsList, queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import { storeScope } from '../access.ts';
import { own } from '../database.ts';

/** Prices of the stores that somebody sees. */
export const goodsList = listOf(queryStoreGoodsList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('institutionStoreGoods as g')
      .innerJoin('institutionDrugstore as s', 's.id', 'g.storeId')
      .where(scopeFilter(storeScope, staff)),
  )
  .with({
    where: { storeId: 'g.storeId', goodsCode: 'g.goodsCode', goodsName: contains('g.goodsName'), inStock: 'g.inStock' },
    order: [
      ['g.storeId', 'desc'],
      ['g.goodsCode', 'asc'],
      ['g.effectiveFrom', 'desc'],
    ],
    id: 'g.id',
    sorts: { goodsCode: 'g.goodsCode' },
    select: (query) =>
      query.select([
        'g.id',
        'g.storeId',
        's.storeNo',
        's.name as storeName',
        'g.goodsCode',
        'g.goodsName',
        'g.spec',
        'g.priceFen',
        'g.inStock',
        'g.stockAt',
        'g.effectiveFrom',
      ]),
    present: (rows) => rows,
  });

export const goodsExport = listExport(goodsList, {
  call: exportStoreGoodsList,
  title: '门店商品价格',
  routeKey: 'drugstoreManagement',
  columns: ['storeNo', 'storeName', 'goodsCode', 'goodsName', 'spec', 'priceFen', 'inStock', 'effectiveFrom', 'stockAt'],
});
