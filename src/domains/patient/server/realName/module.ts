import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { realNameHandlers } from './handlers.ts';
import { manualExport } from './list.ts';
import type { Verifier } from './verify.ts';

/** How far it is proved who the patient is. */
export const realNameModule = (verifier: Verifier): FeatureModule => ({
  handlers: (kernel) => realNameHandlers(kernel, verifier),
  exports: [manualExport],
});
