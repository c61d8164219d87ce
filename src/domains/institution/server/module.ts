import { sql } from 'kysely';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import {
  departmentChanged,
  drugstoreAccountChanged,
  drugstoreChanged,
  hospitalApplyRejected,
  hospitalApproved,
  hospitalChanged,
  hospitalMerged,
  hospitalUnmerged,
} from '../../../events/institution.ts';
import { institutionDictionaries } from '../contract/dictionaries.ts';
import { institutionErrors } from '../contract/errors.ts';
import { institutionPermissions } from '../contract/permissions.ts';
import { institutionRoutes } from '../contract/routes.ts';
import { applyMachine, changeMachine, hospitalMachine, mergeMachine, storeMachine } from '../contract/states.ts';
import { institutionConsumers } from './copies.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { institutionHandlers, institutionImporters } from './handlers.ts';
import { nightlyJob, scoreBatchJob } from './jobs.ts';
import { expireLicencesJob } from './licences/expireJob.ts';
import { standardDeptReference } from './departments/reference.ts';
import { institutionSets } from './pages/datasets.ts';
import { drugstorePage } from './pages/drugstores.ts';
import { hospitalPage } from './pages/hospitals.ts';
import { registerPapers } from './papers.ts';
import { institutionExports } from './exports.ts';
import { storeObjects } from './stores/objectType.ts';

export { institutionTips } from './tips.ts';

/** One clean list of hospitals, departments and drugstores, with places, hours and licences that are in date. */
export const institutionModule: ServerModuleFactory = (kernel) => {
  registerPapers();
  const exports = institutionExports(kernel.secrets);
  return {
    domain: 'institution',
    permissions: Object.values(institutionPermissions),
    routes: institutionRoutes,
    errors: institutionErrors,
    dictionaries: [
      ...institutionDictionaries,
      ...[hospitalMachine, applyMachine, mergeMachine, storeMachine, changeMachine].map((machine) => machine.dictionary),
    ],
    events: [
      departmentChanged,
      hospitalApproved,
      hospitalChanged,
      hospitalMerged,
      hospitalUnmerged,
      hospitalApplyRejected,
      drugstoreChanged,
      drugstoreAccountChanged,
    ],
    handlers: institutionHandlers(kernel, exports),
    jobs: [expireLicencesJob, scoreBatchJob, nightlyJob],
    consumers: institutionConsumers,
    exports,
    importers: institutionImporters,
    reference: [standardDeptReference],
    firstSteps: [
      {
        label: '新增医院',
        path: '/hospitalManagementMaintenance',
        permission: institutionPermissions['hospital.edit'].code,
        fact: sql`exists (select from institution_hospital)`,
      },
    ],
    objectTypes: [storeObjects],
    datasets: institutionSets,
    builtinPages: [hospitalPage, drugstorePage],
    demo: writeDemo,
  };
};
