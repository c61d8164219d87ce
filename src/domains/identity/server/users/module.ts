import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { userHandlers } from './handlers.ts';
import { userImporter } from './importUsers.ts';
import { userExport } from './list.ts';

export const usersModule = (core: IdentityCore): FeatureModule => ({
  handlers: userHandlers(core),
  exports: [userExport(core)],
  importers: [userImporter(core)],
});
