import { exportHandler } from '../../../kernel/server/exporting/exportHandler.ts';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { patientEvents } from '../../../events/patient.ts';
import { patientDictionaries } from '../contract/dictionaries.ts';
import { patientErrors } from '../contract/errors.ts';
import { patientPermissions } from '../contract/permissions.ts';
import { patientMachines } from '../contract/states.ts';
import { consentHandlers } from './consents/handlers.ts';
import { patientConsumers } from './consumers.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { patientExports } from './exports.ts';
import { registerRecordFiles } from './files.ts';
import { inspectionHandlers } from './inspections/handlers.ts';
import { intranetHandlers } from './intranet/handlers.ts';
import { patientJobs } from './jobs.ts';
import { mergeHandlers } from './merges/handlers.ts';
import { patientObjects } from './objectType.ts';
import { contactHandlers } from './persons/contacts.ts';
import { detail } from './persons/detail.ts';
import { lookHandlers } from './persons/looks.ts';
import { operate } from './persons/operate.ts';
import { picker } from './persons/picker.ts';
import { revealHandlers } from './persons/reveal.ts';
import { saveHandlers } from './persons/save.ts';
import { privacyHandlers } from './privacy/handlers.ts';
import { realNameHandlers } from './realName/handlers.ts';
import { makeVerifier } from './realName/verify.ts';
import { diagnosisHandlers } from './records/diagnoses.ts';
import { recordExport } from './records/exportRecord.ts';
import { overviewHandlers } from './records/overview.ts';
import { readHandlers } from './records/read.ts';
import { treatmentHandlers } from './records/treatments.ts';

/** Who the patient is, how far that is proved, what the record says, and what the patient agreed to. */
export const patientModule: ServerModuleFactory = (kernel) => {
  registerRecordFiles(() => kernel.clock.now());
  const verifier = makeVerifier(kernel);
  return {
    domain: 'patient',
    permissions: Object.values(patientPermissions),
    routes: [],
    errors: patientErrors,
    dictionaries: [...patientDictionaries, ...patientMachines.map((machine) => machine.dictionary)],
    events: patientEvents,
    handlers: [
      picker(kernel),
      detail,
      operate,
      recordExport,
      ...saveHandlers(kernel),
      ...revealHandlers(kernel),
      ...contactHandlers(kernel),
      ...lookHandlers,
      ...realNameHandlers(kernel, verifier),
      ...readHandlers,
      ...overviewHandlers,
      ...diagnosisHandlers,
      ...treatmentHandlers,
      ...inspectionHandlers(kernel),
      ...consentHandlers(kernel),
      ...mergeHandlers(kernel),
      ...privacyHandlers(kernel),
      ...intranetHandlers(kernel, verifier),
      ...patientExports.map((source) => exportHandler(source, kernel)),
    ],
    jobs: patientJobs(verifier),
    consumers: patientConsumers,
    exports: patientExports,
    objectTypes: [patientObjects],
    demo: writeDemo,
  };
};
