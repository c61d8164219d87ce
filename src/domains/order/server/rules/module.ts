import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeRules } from '../demo/writeRules.ts';
import { allocationRuleHandlers } from './allocationRules.ts';
import { allocationRuleDetail, allocationRuleExport, allocationRuleList, ruleFactsOf } from './list.ts';

/** 订单分配规则: which supplier is asked for which order. */
export const rulesModule: FeatureModule = {
  handlers: [allocationRuleList.handler, allocationRuleDetail, ruleFactsOf, ...allocationRuleHandlers],
  exports: [allocationRuleExport],
  demo: writeRules,
};
