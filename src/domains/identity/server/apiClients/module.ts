import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { apiClientHandlers } from './handlers.ts';

/** Programs that call us under a signature. */
export const apiClientsModule = (core: IdentityCore): FeatureModule => ({
  handlers: apiClientHandlers(core),
});
