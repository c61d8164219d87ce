import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { patientEvents } from '#events/patient.ts';
import { patientDictionaries } from '../contract/dictionaries.ts';
import { patientErrors } from '../contract/errors.ts';
import { patientMachinePermissions, patientPermissions } from '../contract/permissions.ts';
import { patientMachines } from '../contract/states.ts';
import { consentsModule } from './consents/module.ts';
import { patientConsumers } from './consumers.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { registerRecordFiles } from './files.ts';
import { inspectionsModule } from './inspections/module.ts';
import { intranetModule } from './intranet/module.ts';
import { patientJobs } from './jobs.ts';
import { mergesModule } from './merges/module.ts';
import { patientObjects } from './objectType.ts';
import { personsModule } from './persons/module.ts';
import { privacyModule } from './privacy/module.ts';
import { realNameModule } from './realName/module.ts';
import { makeVerifier } from './realName/verify.ts';
import { recordsModule } from './records/module.ts';

/** Who the patient is, how far that is proved, what the record says, and what the patient agreed to. */
export const patientModule: ServerModuleFactory = (kernel) => {
  registerRecordFiles(() => kernel.clock.now());
  const verifier = makeVerifier(kernel);
  return {
    domain: 'patient',
    permissions: [...Object.values(patientPermissions), ...Object.values(patientMachinePermissions)],
    routes: [],
    errors: patientErrors,
    dictionaries: [...patientDictionaries, ...patientMachines.map((machine) => machine.dictionary)],
    events: patientEvents,
    ...joinFeatures(kernel, [
      personsModule,
      realNameModule(verifier),
      recordsModule,
      inspectionsModule,
      consentsModule,
      mergesModule,
      privacyModule,
      intranetModule(verifier),
      { jobs: patientJobs(verifier), consumers: patientConsumers, demo: writeDemo },
    ]),
    objectTypes: [patientObjects],
  };
};
