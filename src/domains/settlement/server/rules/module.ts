import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { add, audit, modify, retire, ruleTrail, runTests, submit } from './handlers.ts';
import { payerExport, payerList, payerOptions, ruleExport, ruleList } from './list.ts';
import { addPayer, modifyPayer } from './payers.ts';

/** Who pays doctors, and by which rules they earn. */
export const rulesModule: FeatureModule = {
  handlers: (kernel) => [
    ruleList.handler,
    ruleTrail,
    add,
    modify,
    submit,
    audit,
    retire,
    runTests,
    payerList.handler,
    payerOptions,
    addPayer(kernel),
    modifyPayer(kernel),
  ],
  exports: [ruleExport, payerExport],
};
