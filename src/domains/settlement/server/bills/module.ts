import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { audit, hold, recalc, retryPay, submit, unhold, voidBill } from './handlers.ts';
import { billDetail, billExport, billList } from './list.ts';
import { print } from './print.ts';
import { preview, runExport, runJobs, runList, runSkips, start } from './run.ts';

/** A month of incomes as one bill for each doctor and payer, checked by two. */
export const billsModule: FeatureModule = {
  handlers: (kernel) => [
    preview,
    start,
    runList.handler,
    runSkips,
    billList.handler,
    billDetail,
    submit,
    audit,
    recalc(kernel),
    hold,
    unhold,
    retryPay(kernel),
    voidBill(kernel),
    print,
  ],
  exports: [runExport, billExport],
  jobs: runJobs,
};
