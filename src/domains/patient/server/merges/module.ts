import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { mergeHandlers } from './handlers.ts';
import { mergeExport } from './list.ts';

export const mergesModule: FeatureModule = { handlers: mergeHandlers, exports: [mergeExport] };
