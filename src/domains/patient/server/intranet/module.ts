import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { Verifier } from '../realName/verify.ts';
import { intranetHandlers } from './handlers.ts';

/** Calls of our other systems. */
export const intranetModule = (verifier: Verifier): FeatureModule => ({ handlers: (kernel) => intranetHandlers(kernel, verifier) });
