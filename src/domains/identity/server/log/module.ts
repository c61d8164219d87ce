import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { anchorJob } from './anchor.ts';
import { logHandlers } from './handlers.ts';
import { logExport } from './list.ts';
import { loginLogHandlers } from './loginLogHandlers.ts';
import { sealJob } from './seal.ts';
import { verifyJob } from './verify.ts';

/** What was done, sealed in a chain. */
export const logModule = (core: IdentityCore): FeatureModule => ({
  handlers: [...logHandlers(core), ...loginLogHandlers()],
  exports: [logExport],
  jobs: [sealJob, anchorJob, verifyJob],
});
