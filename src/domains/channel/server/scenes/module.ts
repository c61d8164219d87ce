import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { sceneHandlers } from './handlers.ts';
import { sceneCodeExport } from './list.ts';

export const scenesModule: FeatureModule = { handlers: sceneHandlers, exports: (kernel) => [sceneCodeExport(kernel)] };
