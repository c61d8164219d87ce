import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { JobDeclaration } from '#kernel/server/kernel.ts';
import { nightlyJob } from '../invariants.ts';
import { closeJob } from './close.ts';
import { orderConsumers } from './consumers.ts';
import { create, read } from './create.ts';
import { resolveOpen } from './jobs.ts';
import { paymentDetail, paymentExport, paymentList, paymentTotal, sync } from './list.ts';
import { orderPayee } from './payee.ts';

/** The cashier of orders: what is to be paid, through which channel, and what came. */
export const paymentsModule: FeatureModule = {
  handlers: (kernel) => [create(kernel), read(kernel), paymentList.handler, paymentTotal, paymentDetail, sync(kernel)],
  exports: [paymentExport],
  jobs: (kernel) => [closeJob as JobDeclaration<never>, resolveOpen as JobDeclaration<never>, nightlyJob(kernel)],
  consumers: orderConsumers,
  payees: (kernel) => [orderPayee(kernel)],
};
