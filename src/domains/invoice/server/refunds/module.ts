import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { JobDeclaration } from '#kernel/server/kernel.ts';
import { afterSaleConsumers } from './consumers.ts';
import { add, audit, auditOffline, confirmOffline, reopen, reveal, sync } from './handlers.ts';
import { refundDetail, refundExport, refundList } from './list.ts';
import { sendRefundJob } from './send.ts';

/** Money of orders that goes back: over its channel, or by transfer. */
export const refundsModule: FeatureModule = {
  handlers: (kernel) => [
    refundList.handler,
    refundDetail,
    add(kernel),
    audit,
    reopen(kernel),
    sync(kernel),
    confirmOffline(kernel),
    auditOffline(kernel),
    reveal(kernel),
  ],
  exports: [refundExport],
  consumers: afterSaleConsumers,
  jobs: [sendRefundJob as JobDeclaration<never>],
};
