import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { storeGoodsImporter } from '../transfer/storeGoodsImporter.ts';
import { storeImporter } from '../transfer/storeImporter.ts';
import { chainExport, chainHandlers } from './chains.ts';
import { changeExport, changeList, changeTrail } from './changeList.ts';
import { goodsExport, goodsList } from './goods.ts';
import { storeExport, storeList } from './list.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { geocodeDrugstores, queryDrugstoreDetail, queryStoreChangeTrail } from '../../contract/storeCalls.ts';
import { auditHandlers } from './audit.ts';
import { loadStore } from './detail.ts';
import { proposePlaces } from './geocode.ts';
import { hoursHandlers } from './hours.ts';
import { saveHandlers } from './save.ts';

const storeHandlers = (kernel: Kernel): readonly Handler[] => [
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

/** Drugstores, their chains, prices and changes. */
export const storesModule: FeatureModule = {
  handlers: storeHandlers,
  exports: ({ secrets }) => [storeExport, goodsExport, chainExport(secrets), changeExport(secrets)],
  importers: [storeImporter, storeGoodsImporter],
};
