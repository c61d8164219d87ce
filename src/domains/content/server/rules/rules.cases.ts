import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addMarkRule,
  delMarkRule,
  exportMarkRuleList,
  modifyMarkRule,
  operateMarkRule,
  publishMarkRule,
  queryMarkRuleList,
  queryMarkVariableList,
} from '../../contract/rules/calls.ts';
import { dryRunMarkRule, queryMarkRuleRunDetail, queryMarkRuleRunList } from '../../contract/rules/runCalls.ts';
import { makeRule, ofAge, patientMark, published, tried } from '../testing/rules.ts';

const NONE = '999999999';
const rule = (markId: string) => ({ markId, conditions: ofAge(99), schedule: 'DAILY' as const });

export const ruleCases: readonly CallCase[] = [
  callCase(queryMarkRuleList, async (app) => {
    await makeRule(app, 99);
    return {};
  }),
  callCase(exportMarkRuleList, async (app) => {
    await makeRule(app, 99);
    return {};
  }),
  callCase(queryMarkVariableList, async () => ({ objectType: 'PATIENT' as const })),
  callCase(addMarkRule, async (app) => rule(await patientMark(app)), { foreign: async () => rule(NONE) }),
  callCase(
    modifyMarkRule,
    async (app) => {
      const { id, markId } = await makeRule(app, 99);
      return { id, version: 1, ...rule(markId) };
    },
    { foreign: async (app) => ({ id: NONE, version: 1, ...rule(await patientMark(app)) }) },
  ),
  callCase(delMarkRule, async (app) => ({ id: (await makeRule(app, 99)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(
    publishMarkRule,
    async (app) => {
      const { id } = await makeRule(app, 99);
      await tried(app, id);
      return { id, version: 1 };
    },
    { foreign: async () => ({ id: NONE, version: 1 }) },
  ),
  callCase(
    operateMarkRule,
    async (app) => {
      const { id } = await makeRule(app, 99);
      await published(app, id);
      return { id, version: 2, action: 'pause' as const };
    },
    { foreign: async () => ({ id: NONE, version: 1, action: 'pause' as const }) },
  ),
  callCase(dryRunMarkRule, async (app) => ({ ruleId: (await makeRule(app, 99)).id }), { foreign: async () => ({ ruleId: NONE }) }),
  callCase(queryMarkRuleRunList, async (app) => {
    const { id } = await makeRule(app, 99);
    await tried(app, id);
    return { ruleId: id };
  }),
  callCase(queryMarkRuleRunDetail, async (app) => ({ runId: await tried(app, (await makeRule(app, 99)).id) }), {
    foreign: async () => ({ runId: NONE }),
  }),
];
