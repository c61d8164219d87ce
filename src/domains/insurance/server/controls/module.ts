import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { auditRule } from './audit.ts';
import { hitConsumers, hitExport, hitListHandler } from './hits.ts';
import { ruleExport, ruleListHandler } from './list.ts';
import { moduleHandlers } from './modules.ts';
import { ruleHandlers } from './rules.ts';
import { testCaseHandlers } from './testCases.ts';
import { trialHandlers } from './trial.ts';

/** Cost control: modules, rules with their versions, what they hit. */
export const controlsModule: FeatureModule = {
  handlers: (kernel) => [
    ...moduleHandlers,
    ruleListHandler,
    exportHandler(ruleExport, kernel),
    ...ruleHandlers,
    auditRule,
    ...testCaseHandlers,
    ...trialHandlers,
    hitListHandler,
    exportHandler(hitExport, kernel),
  ],
  exports: [ruleExport, hitExport],
  consumers: hitConsumers,
};
