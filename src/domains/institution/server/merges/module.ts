import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { mergeHandlers } from './handlers.ts';
import { mergeExport } from './list.ts';
import { duplicateExport } from './pairs.ts';

/** Hospitals that may be the same, and making one of two. */
export const mergesModule: FeatureModule = { handlers: mergeHandlers, exports: [duplicateExport, mergeExport] };
