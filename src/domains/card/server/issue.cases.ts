import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addBatch,
  auditBatch,
  batchDetails,
  closeBatch,
  exportBatchList,
  exportBatchSecret,
  generateBatch,
  modifyBatch,
  queryBatchList,
  revealBatchPassword,
  submitBatch,
  voidBatch,
} from '../contract/calls/batches.ts';
import {
  addCardType,
  copyCardType,
  disableCardType,
  enableCardType,
  exportCardTypeList,
  modifyCardType,
  queryCardTypeList,
  queryCardTypeVersions,
} from '../contract/calls/types.ts';
import { keeper, nextId } from './testing/fixtures.ts';
import {
  approvedBatch,
  batchWish,
  draftBatch,
  enabledType,
  exportedBatch,
  generatedBatch,
  submittedBatch,
  typeWish,
} from './testing/issue.ts';

const NONE = '999999999';
const opinion = '项目结束';
const noBatch = { batchId: NONE, version: 1 };
const draftType = async (app: TestApp) => {
  const { id, version } = await app.ok(addCardType, typeWish(), { as: await keeper(app) });
  return { id, version };
};
const changed = () => {
  const { typeCode: _code, kind: _kind, ...facts } = typeWish();
  return facts;
};
const { cardTypeId: _type, ...batchChange } = batchWish(NONE);

export const cardIssueCases: readonly CallCase[] = [
  callCase(queryCardTypeList, async (app) => {
    await draftType(app);
    return {};
  }),
  callCase(exportCardTypeList, async (app) => {
    await draftType(app);
    return {};
  }),
  callCase(addCardType, async () => typeWish()),
  callCase(modifyCardType, async (app) => ({ ...(await draftType(app)), ...changed() }), {
    foreign: async () => ({ id: NONE, version: 1, ...changed() }),
  }),
  callCase(enableCardType, draftType, { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(disableCardType, async (app) => ({ id: await enabledType(app), version: 2 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(copyCardType, async (app) => ({ id: (await draftType(app)).id, typeCode: `CZ-${nextId()}` }), {
    foreign: async () => ({ id: NONE, typeCode: `CZ-${nextId()}` }),
  }),
  callCase(queryCardTypeVersions, async (app) => ({ id: await enabledType(app) }), { foreign: async () => ({ id: NONE }) }),
  callCase(queryBatchList, async (app) => {
    await draftBatch(app, await keeper(app));
    return {};
  }),
  callCase(exportBatchList, async (app) => {
    await draftBatch(app, await keeper(app));
    return {};
  }),
  callCase(batchDetails, async (app) => ({ batchId: (await draftBatch(app, await keeper(app))).batchId }), {
    foreign: async () => ({ batchId: NONE }),
  }),
  callCase(addBatch, async (app) => batchWish(await enabledType(app)), { foreign: async () => batchWish(NONE) }),
  callCase(modifyBatch, async (app) => ({ ...(await draftBatch(app, await keeper(app))), ...batchChange }), {
    foreign: async () => ({ ...noBatch, ...batchChange }),
  }),
  callCase(submitBatch, async (app) => draftBatch(app, await keeper(app)), { foreign: async () => noBatch }),
  callCase(
    auditBatch,
    async (app) => ({ ...(await submittedBatch(app, await keeper(app))), stage: 'FIRST' as const, decision: 'approve' as const }),
    { foreign: async () => ({ ...noBatch, stage: 'FIRST' as const, decision: 'approve' as const }) },
  ),
  callCase(generateBatch, async (app) => approvedBatch(app, await keeper(app)), { foreign: async () => noBatch }),
  callCase(exportBatchSecret, async (app) => ({ ...(await generatedBatch(app, await keeper(app))), opinion }), {
    foreign: async () => ({ ...noBatch, opinion }),
  }),
  callCase(revealBatchPassword, async (app) => ({ batchId: (await exportedBatch(app, await keeper(app))).batchId }), {
    foreign: async () => ({ batchId: NONE }),
  }),
  callCase(closeBatch, async (app) => ({ ...(await generatedBatch(app, await keeper(app))), opinion }), {
    foreign: async () => ({ ...noBatch, opinion }),
  }),
  callCase(voidBatch, async (app) => ({ ...(await draftBatch(app, await keeper(app))), opinion }), {
    foreign: async () => ({ ...noBatch, opinion }),
  }),
];
