import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { sessionHandlers } from './handlers.ts';

export const sessionModule = (core: IdentityCore): FeatureModule => ({
  handlers: sessionHandlers(core),
});
