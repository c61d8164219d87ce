import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { ruleConsumers } from './consumers.ts';
import { writeRuleDemo } from './demo.ts';
import { ruleInvariants } from './invariants.ts';
import { nightlyRules } from './jobs.ts';
import { ruleExport, ruleList } from './list.ts';
import { dryRun, operate, publish } from './operate.ts';
import { add, modify, remove } from './rules.ts';
import { runRule } from './runJob.ts';
import { runDetail, runList } from './runs.ts';
import { variableList } from './variables.ts';

/** Rules that put and take away marks. */
export const rulesModule: FeatureModule = {
  handlers: (kernel) => [
    ruleList(kernel).handler,
    variableList(kernel),
    add(kernel),
    modify(kernel),
    remove,
    publish,
    operate,
    dryRun,
    runList.handler,
    runDetail(kernel),
  ],
  jobs: [runRule, nightlyRules],
  consumers: ruleConsumers,
  exports: (kernel) => [ruleExport(kernel)],
  demo: writeRuleDemo,
  invariants: ruleInvariants,
};
