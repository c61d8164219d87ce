import { query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { geocodeDrugstores, queryDrugstoreDetail, queryStoreChangeTrail } from '../../contract/storeCalls.ts';
import { auditHandlers } from './audit.ts';
import { chainHandlers } from './chains.ts';
import { changeList, changeTrail } from './changeList.ts';
import { loadStore } from './detail.ts';
import { proposePlaces } from './geocode.ts';
import { goodsList } from './goods.ts';
import { hoursHandlers } from './hours.ts';
import { storeList } from './list.ts';
import { saveHandlers } from './save.ts';

export const storeHandlers = (kernel: Kernel): readonly Handler[] => [
  storeList.handler,
  query(queryDrugstoreDetail, ({ storeId }, ctx) => loadStore(ctx, storeId, kernel.secrets)),
  changeList(kernel.secrets).handler,
  query(queryStoreChangeTrail, ({ changeId }, ctx) => changeTrail(ctx.db, changeId, ctx.staff)),
  goodsList.handler,
  query(geocodeDrugstores, ({ ids }, ctx) => proposePlaces(ctx.db, ctx.staff, ids)),
  ...saveHandlers(kernel),
  ...auditHandlers(kernel),
  ...hoursHandlers,
  ...chainHandlers(kernel),
];
