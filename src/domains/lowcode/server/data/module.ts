import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { dataHandlers } from './handlers.ts';

/** What pages read and write, by the calls of the domains. */
export const dataModule: FeatureModule = { handlers: dataHandlers };
