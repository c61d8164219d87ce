import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { privacyHandlers } from './handlers.ts';
import { privacyExport } from './list.ts';

/** Requests of patients about their data, with a legal term. */
export const privacyModule: FeatureModule = { handlers: privacyHandlers, exports: [privacyExport] };
