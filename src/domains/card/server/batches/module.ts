import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { generateJob } from './generate.ts';
import {
  batchList,
  batchExport,
  details,
  add,
  modify,
  submit,
  audit,
  generate,
  exportSecret,
  reveal,
  close,
  voidWhole,
} from './handlers.ts';

/** Batches of cards, from the request to the stock. */
export const batchesModule: FeatureModule = {
  handlers: (kernel) => [
    batchList.handler,
    details(kernel),
    add,
    modify,
    submit,
    audit,
    generate(kernel),
    exportSecret(kernel),
    reveal(kernel),
    close(kernel),
    voidWhole(kernel),
  ],
  jobs: (kernel) => [generateJob(kernel)],
  exports: [batchExport],
};
