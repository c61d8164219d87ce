import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  auditFinding,
  batchTransferFinding,
  exportFinding,
  modifyCheck,
  queryCheckList,
  queryFindingDetail,
  queryFindingList,
  addFindingOwner,
  modifyFindingOwner,
  queryFindingOwnerList,
  queryFindingOwnerOptions,
  removeFindingOwner,
  queryFindingTotal,
  queryRunList,
  runCheck,
} from '../contract/calls/abnormal.ts';
import { abnormalPermissions } from '../contract/permissions.ts';
import { own } from './database.ts';
import { makeProduct, serial } from './testing/fixtures.ts';
import { coveredPerson } from './testing/orders.ts';

const NONE = '999999999';

/** A policy that covers fewer persons than were declared, as a run finds it. */
async function aFinding(app: TestApp) {
  const { policyId } = await coveredPerson(app);
  await own(app.db).updateTable('policyPolicy').set({ declaredCount: 9 }).where('id', '=', policyId).execute();
  const as = await app.staff({ permissions: Object.values(abnormalPermissions).map(({ code }) => code) });
  await app.ok(runCheck, { checkCode: ['AB07'] }, { as, idempotencyKey: `policy-finding-${serial()}` });
  const { id, version } = await own(app.db)
    .selectFrom('policyAbnormalFinding')
    .select(['id', 'version'])
    .where('policyId', '=', policyId)
    .executeTakeFirstOrThrow();
  return { id, version };
}

const aHandler = async (app: TestApp) => (await app.staff({ permissions: [abnormalPermissions['abnormal.handle'].code] })).userId;
/** Somebody to whom come what the system's owner looks after. */
async function anOwner(app: TestApp) {
  const as = await app.staff({ permissions: [abnormalPermissions['abnormal.supervise'].code] });
  const { id, version } = await app.ok(
    addFindingOwner,
    { ownerKind: 'SYSTEM', insurerId: (await makeProduct(app)).insurerId, userId: await aHandler(app) },
    { as },
  );
  return { id, version };
}

export const abnormalCases: readonly CallCase[] = [
  callCase(queryFindingList, async (app) => {
    await aFinding(app);
    return {};
  }),
  callCase(exportFinding, async (app) => {
    await aFinding(app);
    return {};
  }),
  callCase(queryFindingTotal, async (app) => {
    await aFinding(app);
    return {};
  }),
  callCase(queryFindingDetail, async (app) => ({ findingId: (await aFinding(app)).id }), { foreign: async () => ({ findingId: NONE }) }),
  callCase(auditFinding, async (app) => ({ ...(await aFinding(app)), action: 'take' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'take' as const }),
  }),
  callCase(batchTransferFinding, async (app) => ({ items: [await aFinding(app)], toUserId: await aHandler(app), note: '休假' })),
  callCase(runCheck, async () => ({ checkCode: ['AB07' as const] })),
  callCase(queryRunList, async (app) => {
    await aFinding(app);
    return {};
  }),
  callCase(queryCheckList, async () => ({})),
  callCase(modifyCheck, async () => ({
    checkCode: 'AB07' as const,
    version: 1,
    enabled: true,
    severity: 'LOW' as const,
    dueDays: 9,
    ownerRule: 'FINANCE' as const,
  })),
  callCase(queryFindingOwnerOptions, async () => ({})),
  callCase(queryFindingOwnerList, async (app) => {
    await anOwner(app);
    return {};
  }),
  callCase(
    addFindingOwner,
    async (app) => ({ ownerKind: 'FINANCE' as const, insurerId: (await makeProduct(app)).insurerId, userId: await aHandler(app) }),
    {
      foreign: async (app) => ({ ownerKind: 'FINANCE' as const, insurerId: NONE, userId: await aHandler(app) }),
    },
  ),
  callCase(modifyFindingOwner, async (app) => ({ ...(await anOwner(app)), userId: await aHandler(app) }), {
    foreign: async (app) => ({ id: NONE, version: 1, userId: await aHandler(app) }),
  }),
  callCase(removeFindingOwner, (app) => anOwner(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
];
