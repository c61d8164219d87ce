import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { inspectionHandlers } from './handlers.ts';
import { reportExport } from './list.ts';

export const inspectionsModule: FeatureModule = { handlers: inspectionHandlers, exports: [reportExport] };
