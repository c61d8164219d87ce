import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { diagnosisHandlers } from './diagnoses.ts';
import { recordExport } from './exportRecord.ts';
import { overviewHandlers } from './overview.ts';
import { readHandlers } from './read.ts';
import { treatmentHandlers } from './treatments.ts';

/** What the record says. */
export const recordsModule: FeatureModule = {
  handlers: [recordExport, ...readHandlers, ...overviewHandlers, ...diagnosisHandlers, ...treatmentHandlers],
};
