import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { bulkDeliveryImporter } from './bulkDelivery.ts';
import { logisticsExport, logisticsHandlers } from './handlers.ts';
import { logisticsJobs } from './jobs.ts';

/** 物流: parcels on their way, and those that a table tells of. */
export const logisticsModule: FeatureModule = {
  handlers: logisticsHandlers,
  exports: [logisticsExport],
  importers: [bulkDeliveryImporter],
  jobs: logisticsJobs,
};
