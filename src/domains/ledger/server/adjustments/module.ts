import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { audit, cancel, submit } from './decide.ts';
import { adjustmentDetail, adjustmentExport, adjustmentList } from './list.ts';
import { add, modify } from './save.ts';

/** Entries by hand, passed by a second person. */
export const adjustmentsModule: FeatureModule = {
  handlers: (kernel) => [
    adjustmentList.handler,
    adjustmentDetail(kernel),
    add(kernel),
    modify(kernel),
    submit(kernel),
    cancel(kernel),
    audit(kernel),
  ],
  exports: [adjustmentExport],
};
