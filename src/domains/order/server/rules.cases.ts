import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addAllocationRule,
  auditAllocationRule,
  disableAllocationRule,
  enableAllocationRule,
  exportAllocationRuleList,
  modifyAllocationRule,
  queryAllocationRuleDetail,
  queryAllocationRuleList,
  queryRuleFacts,
  submitAllocationRule,
} from '../contract/calls/allocationRules.ts';
import { exportAllocationRunList } from '../contract/calls/allocation.ts';
import { keeper, makeEnabled, NONE } from './testing/fixtures.ts';
import { allocated } from './testing/fulfilment.ts';
import { makeApprovedRule, makeRule, makeSubmittedRule, ruleInput, type MadeRule } from './testing/rules.ts';

const missing = { id: NONE, version: 1 };
const named = ({ id, version }: MadeRule) => ({ id, version });
const factsOf = ({ input: { ruleCode: _, ...facts } }: MadeRule) => facts;
const opinion = '改由其他规则分配';

export const ruleDocumentCases: readonly CallCase[] = [
  callCase(queryAllocationRuleList, async (app) => {
    await makeRule(app);
    return {};
  }),
  callCase(exportAllocationRuleList, async (app) => {
    await makeRule(app);
    return {};
  }),
  callCase(exportAllocationRunList, async (app) => ({ orderId: (await allocated(app)).orderId })),
  callCase(queryAllocationRuleDetail, async (app) => ({ id: (await makeRule(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(queryRuleFacts, async (app) => ({ orderNo: (await allocated(app)).orderNo }), { foreign: async () => ({ orderNo: 'OR0' }) }),
  callCase(addAllocationRule, async (app) => ruleInput(app, 'GOODS-1', [(await makeEnabled(app)).id])),
  callCase(
    modifyAllocationRule,
    async (app) => {
      const rule = await makeRule(app);
      return { ...named(rule), ...factsOf(rule) };
    },
    { foreign: async (app) => ({ ...missing, ...factsOf(await makeRule(app)) }) },
  ),
  callCase(submitAllocationRule, async (app) => named(await makeRule(app)), { foreign: async () => missing }),
  callCase(auditAllocationRule, async (app) => ({ ...named(await makeSubmittedRule(app)), decision: 'approve' as const }), {
    foreign: async () => ({ ...missing, decision: 'approve' as const }),
  }),
  callCase(disableAllocationRule, async (app) => ({ ...named(await makeApprovedRule(app)), opinion }), {
    foreign: async () => ({ ...missing, opinion }),
  }),
  callCase(
    enableAllocationRule,
    async (app) => {
      const rule = await makeApprovedRule(app);
      const { version } = await app.ok(disableAllocationRule, { ...named(rule), opinion }, { as: await keeper(app) });
      return { id: rule.id, version };
    },
    { foreign: async () => missing },
  ),
];
