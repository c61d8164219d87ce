import { sql } from 'kysely';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import {
  departmentChanged,
  drugstoreAccountChanged,
  drugstoreChanged,
  hospitalApplyRejected,
  hospitalApproved,
  hospitalChanged,
  hospitalMerged,
  hospitalUnmerged,
} from '#events/institution.ts';
import { institutionDictionaries } from '../contract/dictionaries.ts';
import { institutionErrors } from '../contract/errors.ts';
import { institutionMachinePermissions, institutionPermissions } from '../contract/permissions.ts';
import { institutionRoutes } from '../contract/routes.ts';
import { applyMachine, changeMachine, hospitalMachine, mergeMachine, storeMachine } from '../contract/states.ts';
import { appliesModule } from './applies/module.ts';
import { institutionConsumers } from './copies.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { departmentsModule } from './departments/module.ts';
import { hospitalsModule } from './hospitals/module.ts';
import { nightlyJob } from './jobs.ts';
import { licencesModule } from './licences/module.ts';
import { mergesModule } from './merges/module.ts';
import { institutionSets } from './pages/datasets.ts';
import { drugstorePage } from './pages/drugstores.ts';
import { hospitalPage } from './pages/hospitals.ts';
import { registerPapers } from './papers.ts';
import { storesModule } from './stores/module.ts';
import { storeObjects } from './stores/list.ts';
import { desk as applyDesk } from './applies/desk.ts';

/** Applications for hospitals that somebody has under review. */
export const openHospitalApplies = applyDesk.openWork;
export { institutionTips } from './tips.ts';
export { chainNames } from './services.ts';

const features: readonly FeatureModule[] = [
  hospitalsModule,
  departmentsModule,
  mergesModule,
  appliesModule,
  storesModule,
  licencesModule,
  { jobs: [nightlyJob], consumers: institutionConsumers, demo: writeDemo },
];

/** One clean list of hospitals, departments and drugstores, with places, hours and licences that are in date. */
export const institutionModule: ServerModuleFactory = (kernel) => {
  registerPapers();
  return {
    domain: 'institution',
    permissions: [...Object.values(institutionPermissions), ...Object.values(institutionMachinePermissions)],
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
    ...joinFeatures(kernel, features),
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
  };
};
