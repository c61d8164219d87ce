import { claimControlEvaluated } from '#events/claim.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { exportControlHit, queryControlHitList } from '../../contract/controls/hits.ts';
import {
  addControlModule,
  modifyControlModule,
  queryControlModuleList,
  removeControlModule,
  setControlModuleEnabled,
  sortControlModule,
} from '../../contract/controls/modules.ts';
import {
  addControlRule,
  addControlRuleVersion,
  auditControlRule,
  copyControlRule,
  exportControlRuleList,
  modifyControlRule,
  queryControlRuleDetail,
  queryControlRuleList,
  removeControlRule,
} from '../../contract/controls/rules.ts';
import { queryControlTestCases, queryControlVariableList, saveControlTestCases, trialControlRule } from '../../contract/controls/trial.ts';
import {
  addEntitlementDef,
  addEntitlementVersion,
  auditEntitlementDef,
  exportEntitlementDefList,
  modifyEntitlementDef,
  queryCouponOptions,
  queryEntitlementDefDetail,
  queryEntitlementDefList,
  removeEntitlementDef,
} from '../../contract/entitlements/calls.ts';
import { entitlementPermissions } from '../../contract/permissions.ts';
import {
  addReplay,
  cancelReplay,
  exportReplay,
  judgeReplayCase,
  queryReplayCaseList,
  queryReplayDetail,
  queryReplayList,
} from '../../contract/replays/calls.ts';
import {
  exportStatistics,
  queryAgeing,
  queryLossRatio,
  queryOverview,
  queryRank,
  queryReasonTop,
  queryTrend,
} from '../../contract/statistics/calls.ts';
import { lastMonth } from '../replays/handlers.ts';
import { controller, makeModule, makeRule, publishRule, ruleInput } from '../testing/controls.ts';
import { couponInput } from '../testing/entitlements.ts';
import { keeper, makeDraft } from '../testing/products.ts';
import { decideClaims } from '../testing/snapshots.ts';

const NONE = '999999999';
const none = { id: NONE, version: 1 };
const facts = { moduleName: '用量控制', insurerIds: [], productLines: [], productIds: [], observeOnly: false, ownerUserId: null };
let serial = 0;

async function aModule(app: TestApp) {
  const { moduleId, version } = await makeModule(app, await controller(app), { moduleCode: `CM${(serial += 1)}` });
  return { id: moduleId, version };
}
async function aRule(app: TestApp, other: Parameters<typeof makeRule>[3] = {}) {
  const { id } = await aModule(app);
  return makeRule(app, await controller(app), id, { ruleCode: `CR${(serial += 1)}`, ...other });
}
async function published(app: TestApp) {
  const rule = await aRule(app);
  await publishRule(app, await controller(app), await controller(app), rule);
  return rule;
}
const content = (app: TestApp) => {
  const { moduleId: _, ruleCode: __, ...rest } = ruleInput(app, NONE);
  return rest;
};

const moduleCases: readonly CallCase[] = [
  callCase(queryControlModuleList, async (app) => {
    await aModule(app);
    return {};
  }),
  callCase(addControlModule, async () => ({ moduleCode: `CM${(serial += 1)}`, stage: 'CLAIM' as const, ...facts })),
  callCase(modifyControlModule, async (app) => ({ ...(await aModule(app)), ...facts }), { foreign: async () => ({ ...none, ...facts }) }),
  callCase(removeControlModule, aModule, { foreign: async () => none }),
  callCase(sortControlModule, async (app) => ({ ids: [(await aModule(app)).id] }), { foreign: async () => ({ ids: [NONE] }) }),
  callCase(setControlModuleEnabled, async (app) => ({ ...(await aModule(app)), enabled: false, opinion: '暂停' }), {
    foreign: async () => ({ ...none, enabled: false, opinion: '暂停' }),
  }),
];

const rulesOf: readonly CallCase[] = [
  callCase(queryControlRuleList, async (app) => {
    await aRule(app);
    return {};
  }),
  callCase(exportControlRuleList, async (app) => {
    await aRule(app);
    return {};
  }),
  callCase(queryControlRuleDetail, async (app) => ({ ruleId: (await aRule(app)).ruleId }), { foreign: async () => ({ ruleId: NONE }) }),
  callCase(addControlRule, async (app) => ruleInput(app, (await aModule(app)).id, { ruleCode: `CR${(serial += 1)}` }), {
    foreign: async (app) => ruleInput(app, NONE, { ruleCode: `CR${(serial += 1)}` }),
  }),
  callCase(addControlRuleVersion, async (app) => ({ ruleId: (await published(app)).ruleId }), { foreign: async () => ({ ruleId: NONE }) }),
  callCase(
    modifyControlRule,
    async (app) => {
      const { versionId, version } = await aRule(app);
      return { versionId, version, ...content(app) };
    },
    { foreign: async (app) => ({ versionId: NONE, version: 1, ...content(app) }) },
  ),
  callCase(
    removeControlRule,
    async (app) => {
      const { versionId, version } = await aRule(app);
      return { versionId, version };
    },
    { foreign: async () => ({ versionId: NONE, version: 1 }) },
  ),
  callCase(copyControlRule, async (app) => ({ ruleId: (await aRule(app)).ruleId, ruleCode: `CR${(serial += 1)}` }), {
    foreign: async () => ({ ruleId: NONE, ruleCode: 'CRNONE' }),
  }),
  callCase(
    auditControlRule,
    async (app) => {
      const { versionId, version } = await aRule(app);
      return { id: versionId, version, action: 'submit' as const, opinion: '上线' };
    },
    { foreign: async () => ({ ...none, action: 'submit' as const, opinion: '上线' }) },
  ),
  callCase(queryControlVariableList, async () => ({ stage: 'CLAIM' as const })),
  callCase(
    trialControlRule,
    async (app) => ({
      moduleId: (await aModule(app)).id,
      mode: 'WARN' as const,
      expression: ruleInput(app, NONE).expression,
      cap: null,
      facts: { 'line.qty': '3' },
    }),
    {
      foreign: async (app) => ({
        moduleId: NONE,
        mode: 'WARN' as const,
        expression: ruleInput(app, NONE).expression,
        cap: null,
        facts: {},
      }),
    },
  ),
  callCase(queryControlTestCases, async (app) => ({ versionId: (await aRule(app)).versionId }), {
    foreign: async () => ({ versionId: NONE }),
  }),
  callCase(
    saveControlTestCases,
    async (app) => {
      const { versionId, version } = await aRule(app);
      return { versionId, version, cases: [{ caseName: '三盒', facts: { 'line.qty': '3' }, expected: 'MONITOR' as const }] };
    },
    { foreign: async () => ({ versionId: NONE, version: 1, cases: [] }) },
  ),
  callCase(queryControlHitList, async () => ({})),
  callCase(exportControlHit, async (app) => {
    const { ruleId, versionId } = await published(app);
    const evaluationId = `CE${(serial += 1)}`;
    await app.kernel.transactions.run('test', ({ publish }) =>
      publish(claimControlEvaluated, evaluationId, {
        evaluationId,
        claimId: '1',
        lineNo: 1,
        ruleVersionId: versionId,
        mode: 'MONITOR',
        savedFen: 0,
        trace: { text: '数量 3 > 2', missing: [] },
      }),
    );
    await app.runDue();
    return { ruleId };
  }),
];

const entitlementKeeper = (app: TestApp) => app.staff({ permissions: Object.values(entitlementPermissions).map(({ code }) => code) });
async function aDefinition(app: TestApp) {
  return app.ok(addEntitlementDef, couponInput(app, `CE${(serial += 1)}`), { as: await entitlementKeeper(app) });
}
async function issued(app: TestApp) {
  const maker = await entitlementKeeper(app);
  const { id, version } = await app.ok(addEntitlementDef, couponInput(app, `CE${(serial += 1)}`), { as: maker });
  const handed = await app.ok(auditEntitlementDef, { id, version, action: 'submit', opinion: '上线' }, { as: maker });
  return app.ok(
    auditEntitlementDef,
    { id, version: handed.version, action: 'approve', opinion: '同意' },
    { as: await entitlementKeeper(app) },
  );
}
const words = (app: TestApp) => {
  const { entitlementCode: _, ...rest } = couponInput(app, 'CENONE');
  return rest;
};
const entitlementCases: readonly CallCase[] = [
  callCase(queryEntitlementDefList, async (app) => {
    await aDefinition(app);
    return {};
  }),
  callCase(exportEntitlementDefList, async (app) => {
    await aDefinition(app);
    return {};
  }),
  callCase(queryEntitlementDefDetail, async (app) => ({ id: (await aDefinition(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addEntitlementDef, async (app) => couponInput(app, `CE${(serial += 1)}`)),
  callCase(addEntitlementVersion, async (app) => ({ id: (await issued(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(modifyEntitlementDef, async (app) => ({ ...(await aDefinition(app)), ...words(app) }), {
    foreign: async (app) => ({ ...none, ...words(app) }),
  }),
  callCase(removeEntitlementDef, aDefinition, { foreign: async () => none }),
  callCase(auditEntitlementDef, async (app) => ({ ...(await aDefinition(app)), action: 'submit' as const, opinion: '上线' }), {
    foreign: async () => ({ ...none, action: 'submit' as const, opinion: '上线' }),
  }),
  callCase(queryCouponOptions, async () => ({})),
];

/** A rule with decided claims that it can be tried on; started by `as` where that is given. */
async function aReplay(app: TestApp, as: TestStaff | null) {
  const maker = await keeper(app);
  const draft = await makeDraft(app, maker, plusDays(app.clock.today(), 5));
  await decideClaims(app, draft, lastMonth(app.clock.today()).from, [3]);
  const { versionId } = await aRule(app, { mode: 'HOLD' });
  const ask = { ownerType: 'CONTROL_RULE_VERSION' as const, ownerId: versionId };
  const replay = as ? await app.ok(addReplay, ask, { as }) : null;
  return { ask, replayId: replay?.id ?? NONE };
}
async function aReplayed(app: TestApp, runner: TestStaff) {
  const { replayId } = await aReplay(app, runner);
  await app.runDue();
  return { replayId };
}
async function aReplayedCase(app: TestApp) {
  const runner = await controller(app);
  const { replayId } = await aReplayed(app, runner);
  const { rows } = await app.ok(queryReplayCaseList, { replayId, pageSize: 1 }, { as: runner });
  return rows[0]!.id;
}
const foreignOwner = { ownerType: 'CONTROL_RULE_VERSION' as const, ownerId: NONE };
const replayCases: readonly CallCase[] = [
  callCase(addReplay, async (app) => (await aReplay(app, null)).ask, { foreign: async () => foreignOwner }),
  callCase(cancelReplay, async (app, as) => ({ id: (await aReplay(app, as)).replayId, version: 1 }), { foreign: async () => none }),
  callCase(queryReplayList, async (app) => (await aReplay(app, null)).ask, { foreign: async () => foreignOwner }),
  callCase(queryReplayDetail, async (app, as) => ({ id: (await aReplay(app, as)).replayId }), { foreign: async () => ({ id: NONE }) }),
  callCase(queryReplayCaseList, async (app, as) => ({ replayId: (await aReplay(app, as)).replayId })),
  callCase(exportReplay, async (app) => aReplayed(app, await controller(app))),
  callCase(judgeReplayCase, async (app) => ({ id: await aReplayedCase(app), verdict: 'EXPECTED' as const }), {
    foreign: async () => ({ id: NONE, verdict: 'EXPECTED' as const }),
  }),
];

const months = { from: '2026-06', to: '2026-11' };
const statisticsCases: readonly CallCase[] = [
  ...[queryOverview, queryTrend, queryLossRatio, queryAgeing, queryReasonTop].map((call) => callCase(call, async () => months)),
  callCase(queryRank, async () => ({ ...months, groupBy: 'PRODUCT' as const })),
  callCase(exportStatistics, async () => months),
];

export const controlCases: readonly CallCase[] = [...moduleCases, ...rulesOf, ...entitlementCases, ...replayCases, ...statisticsCases];
