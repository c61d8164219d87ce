import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { addBudget, auditChange, changeIntroduction } from './changes.ts';
import { incentiveConsumers, incentiveJobs } from './events.ts';
import { add, audit, close, modify, pause, resume, submit } from './handlers.ts';
import { incentiveFactImporter } from './importer.ts';
import { factExport, factList, programDetail, programExport, programList } from './list.ts';

/** Services that pharma companies pay doctors for, out of budgets that are never overspent. */
export const incentiveModule: FeatureModule = {
  handlers: (kernel) => [
    programList.handler,
    programDetail,
    factList.handler,
    add,
    modify,
    submit,
    audit(kernel),
    pause,
    resume,
    close(kernel),
    addBudget,
    changeIntroduction,
    auditChange(kernel),
  ],
  exports: [programExport, factExport],
  importers: [incentiveFactImporter],
  consumers: incentiveConsumers,
  jobs: incentiveJobs,
};
