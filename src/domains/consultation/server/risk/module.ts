import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeRiskWords } from './demo.ts';
import { riskHandlers } from './handlers.ts';

/** Words that stop a message, or mark it. */
export const riskModule: FeatureModule = { handlers: riskHandlers, demo: writeRiskWords };
