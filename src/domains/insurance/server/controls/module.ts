import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { auditRule } from './audit.ts';
import { hitConsumers, hitExport, hitListHandler } from './hits.ts';
import { ruleExport, ruleListHandler } from './list.ts';
import { moduleHandlers } from './modules.ts';
import { ruleHandlers } from './rules.ts';
import { testCaseHandlers } from './testCases.ts';
import { trialHandlers } from './trial.ts';

/** Cost control: modules, rules with their versions, what they hit. */
export const controlsModule: FeatureModule = {
  handlers: [...moduleHandlers, ruleListHandler, ...ruleHandlers, auditRule, ...testCaseHandlers, ...trialHandlers, hitListHandler],
  exports: [ruleExport, hitExport],
  consumers: hitConsumers,
};
