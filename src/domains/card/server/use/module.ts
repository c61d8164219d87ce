import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { check, writeOffOrder } from './checkHandlers.ts';
import { useConsumers, useJobs } from './events.ts';
import { balance, openCapture, openHold, openRelease, openState } from './gateway.ts';
import { add, capture, orderCardExport, orderCardList, release } from './holdHandlers.ts';
import { ask, auditOne, detail } from './reversalHandlers.ts';
import { reversalExport, reversalList, writeOffExport, writeOffList, writeOffTotal } from './writeOffList.ts';

/** Value that is set aside for orders, written off and given back. */
export const cardUseModule: FeatureModule = {
  handlers: (kernel) => [
    orderCardList.handler,
    check(kernel),
    writeOffOrder(kernel),
    add(kernel),
    capture(kernel),
    release(kernel),
    writeOffList.handler,
    writeOffTotal,
    detail(kernel),
    reversalList.handler,
    ask,
    auditOne(kernel),
    openHold(kernel),
    openCapture(kernel),
    openRelease(kernel),
    openState,
    balance(kernel),
  ],
  exports: [orderCardExport, writeOffExport, reversalExport],
  consumers: useConsumers,
  jobs: useJobs,
};
