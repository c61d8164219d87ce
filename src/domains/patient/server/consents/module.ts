import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { consentHandlers } from './handlers.ts';

/** What the patient agreed to. */
export const consentsModule: FeatureModule = { handlers: consentHandlers };
