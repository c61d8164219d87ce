import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { add, audit, cancel, inspect, preview, receive } from './handlers.ts';
import { afterSaleDetail, afterSaleExport, afterSaleList } from './list.ts';

/** 售后: what comes back of an order, and its money. */
export const afterSalesModule: FeatureModule = {
  handlers: [afterSaleList.handler, afterSaleDetail, preview, add, audit, receive, inspect, cancel],
  exports: [afterSaleExport],
};
