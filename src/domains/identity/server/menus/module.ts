import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { menuHandlers } from './handlers.ts';

export const menusModule = (core: IdentityCore): FeatureModule => ({
  handlers: menuHandlers(core),
});
