import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { scopeFilter } from '../../../../kernel/server/auth/scope.ts';
import { queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import { geocodeDrugstores, queryDrugstoreDetail, queryDrugstoreList, queryStoreChangeList } from '../../contract/storeCalls.ts';
import { storeScope } from '../access.ts';
import { likeText, ownDb } from '../database.ts';
import { auditHandlers } from './audit.ts';
import { chainHandlers } from './chains.ts';
import { listChanges } from './changeList.ts';
import { loadStore } from './detail.ts';
import { proposePlaces } from './geocode.ts';
import { hoursHandlers } from './hours.ts';
import { listStores } from './list.ts';
import { saveHandlers } from './save.ts';

export const storeHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryDrugstoreList, ({ pageNo, pageSize, ...filter }, ctx) => listStores(ctx.db, filter, ctx.staff, ctx.now, { pageNo, pageSize })),
  query(queryDrugstoreDetail, ({ storeId }, ctx) => loadStore(ctx, storeId, kernel.secrets)),
  query(queryStoreChangeList, ({ pageNo, pageSize, ...filter }, ctx) => listChanges(ctx.db, filter, ctx.staff, kernel.secrets, { pageNo, pageSize })),
  query(queryStoreGoodsList, async ({ pageNo, pageSize, storeId, goodsCode, goodsName, inStock }, ctx) => {
    const own = ownDb(ctx.db);
    let rows = own.selectFrom('institutionStoreGoods as g').innerJoin('institutionDrugstore as s', 's.id', 'g.storeId').where(scopeFilter(storeScope, ctx.staff));
    if (storeId) rows = rows.where('g.storeId', '=', storeId);
    if (goodsCode) rows = rows.where('g.goodsCode', '=', goodsCode);
    if (goodsName) rows = rows.where('g.goodsName', 'ilike', likeText(goodsName));
    if (inStock !== undefined) rows = rows.where('g.inStock', '=', inStock);
    const page = await rows
      .select(['g.id', 'g.storeId', 's.storeNo', 's.name as storeName', 'g.goodsCode', 'g.goodsName', 'g.spec', 'g.priceFen', 'g.inStock', 'g.stockAt', 'g.effectiveFrom'])
      .orderBy('g.storeId', 'desc')
      .orderBy('g.goodsCode')
      .orderBy('g.effectiveFrom', 'desc')
      .limit(pageSize)
      .offset(offsetOf({ pageNo, pageSize }))
      .execute();
    return { rows: page, total: await totalUpTo(own, rows) };
  }),
  query(geocodeDrugstores, ({ ids }, ctx) => proposePlaces(ctx.db, ctx.staff, ids)),
  ...saveHandlers(kernel),
  ...auditHandlers(kernel),
  ...hoursHandlers,
  ...chainHandlers(kernel),
];
