import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { bulkDeliveryImporter } from './bulkDelivery.ts';
import { bulkExport } from './bulkList.ts';
import { logisticsExport, logisticsHandlers } from './handlers.ts';
import { logisticsJobs } from './jobs.ts';

/** 物流: parcels on their way, and those that a table tells of. */
export const logisticsModule: FeatureModule = {
  handlers: logisticsHandlers,
  exports: [logisticsExport, bulkExport],
  importers: [bulkDeliveryImporter],
  jobs: logisticsJobs,
};
