import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { fulfilmentHandlers } from './handlers.ts';
import { fulfilmentJobs } from './jobs.ts';
import { fulfilmentDetail, fulfilmentExport, fulfilmentList, orderFulfilments, supplierOptions } from './list.ts';

/** 履约: parts of orders that suppliers bring, from the push to the signature. */
export const fulfilmentModule: FeatureModule = {
  handlers: (kernel) => [fulfilmentList.handler, fulfilmentDetail, orderFulfilments, supplierOptions, ...fulfilmentHandlers(kernel)],
  exports: [fulfilmentExport],
  jobs: fulfilmentJobs,
};
