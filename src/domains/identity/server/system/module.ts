import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { systemHandlers } from './handlers.ts';

/** What all domains lean on: calendar, regions, codes, failed jobs. */
export const systemModule = (core: IdentityCore): FeatureModule => ({
  handlers: systemHandlers(core),
});
