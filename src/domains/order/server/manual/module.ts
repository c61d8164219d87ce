import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { contractConsumer } from './contracts.ts';
import { manualDetail } from './detail.ts';
import { manualExport, manualList } from './list.ts';
import { match } from './match.ts';
import { manualJobs } from './post.ts';
import { audit, retry, reveal, voidOne } from './review.ts';
import { add, modify } from './save.ts';
import { submit } from './submit.ts';

/** 手工补录: purchases outside of the system, from their registration to the order that they become. */
export const manualModule: FeatureModule = {
  handlers: (kernel) => [
    manualList(kernel).handler,
    manualDetail,
    match(kernel),
    add(kernel),
    modify(kernel),
    submit(kernel),
    audit(kernel),
    retry(kernel),
    voidOne(kernel),
    reveal(kernel),
  ],
  exports: (kernel) => [manualExport(manualList(kernel))],
  jobs: manualJobs,
  consumers: () => [contractConsumer],
};
