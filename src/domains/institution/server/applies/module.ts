import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { applyHandlers } from './handlers.ts';
import { applyExport } from './read.ts';

export const appliesModule: FeatureModule = { handlers: applyHandlers, exports: [applyExport] };
