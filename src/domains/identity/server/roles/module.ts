import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { assignmentHandlers } from './assign.ts';
import { dutiesJob } from './dutiesNightly.ts';
import { roleHandlers } from './handlers.ts';

/** Roles, their rights, and who has them. */
export const rolesModule = (core: IdentityCore): FeatureModule => ({
  handlers: [...roleHandlers(core), ...assignmentHandlers(core)],
  jobs: [dutiesJob],
});
