import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { scopeFilter } from '../../../../kernel/server/auth/scope.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import { storeScope, type Seer } from '../access.ts';
import { likeText, ownDb } from '../database.ts';

type GoodsFilter = Omit<CheckedInputOf<typeof queryStoreGoodsList>, 'pageNo' | 'pageSize'>;

/** Prices of the stores that somebody sees. */
export function goodsOf(db: Db, { storeId, goodsCode, goodsName, inStock }: GoodsFilter, seer: Seer) {
  let rows = ownDb(db)
    .selectFrom('institutionStoreGoods as g')
    .innerJoin('institutionDrugstore as s', 's.id', 'g.storeId')
    .where(scopeFilter(storeScope, seer));
  if (storeId) rows = rows.where('g.storeId', '=', storeId);
  if (goodsCode) rows = rows.where('g.goodsCode', '=', goodsCode);
  if (goodsName) rows = rows.where('g.goodsName', 'ilike', likeText(goodsName));
  if (inStock !== undefined) rows = rows.where('g.inStock', '=', inStock);
  return rows;
}

export const filledGoods = (rows: ReturnType<typeof goodsOf>) =>
  rows.select([
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
  ]);

export async function listGoods(db: Db, filter: GoodsFilter, seer: Seer, page: { pageNo: number; pageSize: number }) {
  const rows = goodsOf(db, filter, seer);
  const found = await filledGoods(rows)
    .orderBy('g.storeId', 'desc')
    .orderBy('g.goodsCode')
    .orderBy('g.effectiveFrom', 'desc')
    .limit(page.pageSize)
    .offset(offsetOf(page))
    .execute();
  return { rows: found, total: await totalUpTo(ownDb(db), rows) };
}
