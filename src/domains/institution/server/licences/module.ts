import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { expireLicencesJob } from './expireJob.ts';
import { licenceHandlers } from './handlers.ts';
import { licenceExport } from './list.ts';

export const licencesModule: FeatureModule = { handlers: licenceHandlers, exports: [licenceExport], jobs: [expireLicencesJob] };
