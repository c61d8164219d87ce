import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { orderRecords } from '../orders/access.ts';
import { inTransaction } from '../orders/jobs.ts';
import { allocate } from './allocate.ts';
import { allocateNow, assignNow, dryRun, runExport, runList } from './handlers.ts';
import { allocateJob } from './job.ts';

const allocateOrders = job({
  ...allocateJob,
  run: ({ orderId }, ctx) =>
    inTransaction(ctx, async (acting) => {
      await allocate(acting, await orderRecords.lock(acting.tx, orderRecords.everyone, orderId));
    }),
});

/** 订单分配: who brings what of an order. */
export const allocationModule: FeatureModule = {
  handlers: [runList.handler, allocateNow, assignNow, dryRun],
  exports: [runExport],
  jobs: [allocateOrders as JobDeclaration<never>],
};
