import { query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import {
  geocodeDrugstores,
  queryDrugstoreDetail,
  queryDrugstoreList,
  queryStoreChangeList,
  queryStoreChangeTrail,
} from '../../contract/storeCalls.ts';
import { auditHandlers } from './audit.ts';
import { chainHandlers } from './chains.ts';
import { changeTrail, listChanges } from './changeList.ts';
import { loadStore } from './detail.ts';
import { proposePlaces } from './geocode.ts';
import { listGoods } from './goods.ts';
import { hoursHandlers } from './hours.ts';
import { listStores } from './list.ts';
import { saveHandlers } from './save.ts';

export const storeHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryDrugstoreList, ({ pageNo, pageSize, ...filter }, ctx) => listStores(ctx.db, filter, ctx.staff, ctx.now, { pageNo, pageSize })),
  query(queryDrugstoreDetail, ({ storeId }, ctx) => loadStore(ctx, storeId, kernel.secrets)),
  query(queryStoreChangeList, ({ pageNo, pageSize, ...filter }, ctx) =>
    listChanges(ctx.db, filter, ctx.staff, kernel.secrets, { pageNo, pageSize }),
  ),
  query(queryStoreChangeTrail, ({ changeId }, ctx) => changeTrail(ctx.db, changeId, ctx.staff)),
  query(queryStoreGoodsList, ({ pageNo, pageSize, ...filter }, ctx) => listGoods(ctx.db, filter, ctx.staff, { pageNo, pageSize })),
  query(geocodeDrugstores, ({ ids }, ctx) => proposePlaces(ctx.db, ctx.staff, ids)),
  ...saveHandlers(kernel),
  ...auditHandlers(kernel),
  ...hoursHandlers,
  ...chainHandlers(kernel),
];
