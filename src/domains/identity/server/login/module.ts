import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { IdentityCore } from '../core.ts';
import { loginHandlers } from './handlers.ts';
import { sendSmsJob } from './smsPort.ts';

/** Coming in, by password or by code. */
export const loginModule = (core: IdentityCore): FeatureModule => ({
  handlers: loginHandlers(core),
  jobs: [sendSmsJob],
});
