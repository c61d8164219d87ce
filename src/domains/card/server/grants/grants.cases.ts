import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addGrant,
  auditGrant,
  exportGrantList,
  exportGrantResult,
  importGrant,
  queryGrantDetail,
  queryGrantLineList,
  queryGrantList,
  retryGrant,
  revokeGrant,
  submitGrant,
} from '../../contract/calls/grants.ts';
import { keeper, nextId } from '../testing/fixtures.ts';
import { enabledType } from '../testing/issue.ts';
import { doneGrant, draftGrant, shortGrant, someone, submittedGrant } from '../testing/grants.ts';
import { grantColumns } from './importer.ts';

const NONE = '999999999';
const none = { grantId: NONE, version: 1 };

export const cardGrantCases: readonly CallCase[] = [
  callCase(queryGrantList, async (app) => {
    await draftGrant(app, await keeper(app));
    return {};
  }),
  callCase(exportGrantList, async (app) => {
    await draftGrant(app, await keeper(app));
    return {};
  }),
  callCase(queryGrantLineList, async (app) => {
    await draftGrant(app, await keeper(app));
    return {};
  }),
  callCase(exportGrantResult, async (app) => {
    await draftGrant(app, await keeper(app));
    return {};
  }),
  callCase(queryGrantDetail, async (app) => ({ grantId: (await draftGrant(app, await keeper(app))).grantId }), {
    foreign: async () => ({ grantId: NONE }),
  }),
  callCase(addGrant, async (app) => ({ cardTypeId: await enabledType(app), ...someone(), amount: 20_000 }), {
    foreign: async () => ({ cardTypeId: NONE, ...someone(), amount: 20_000 }),
  }),
  callCase(importGrant, async (app, as) => ({
    cardTypeId: await enabledType(app),
    fileId: await uploadRows(app, as!, { columns: grantColumns }, [
      { ...someone(), idType: '身份证', amount: '200.00', outerSerialNo: `FALL-${nextId()}` },
    ]),
  })),
  callCase(submitGrant, async (app) => draftGrant(app, await keeper(app)), { foreign: async () => none }),
  callCase(
    auditGrant,
    async (app) => ({ ...(await submittedGrant(app, await keeper(app))), stage: 'FIRST' as const, decision: 'approve' as const }),
    { foreign: async () => ({ ...none, stage: 'FIRST' as const, decision: 'approve' as const }) },
  ),
  callCase(retryGrant, async (app) => shortGrant(app, await keeper(app)), { foreign: async () => none }),
  callCase(revokeGrant, async (app) => ({ ...(await doneGrant(app, await keeper(app))), opinion: '误发' }), {
    foreign: async () => ({ ...none, opinion: '误发' }),
  }),
];
