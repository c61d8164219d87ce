import type { TestStaff } from '#testing/staff.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  acceptBatchWarning,
  addInsuredBatch,
  addReverseBatch,
  auditInsuredBatch,
  excludeInsuredBatchRow,
  exportBatchResult,
  modifyInsuredBatchRow,
  queryInsuredBatchDetail,
  queryInsuredBatchImpact,
  queryInsuredBatchList,
  queryInsuredBatchRowList,
  queryInsuredBatchUndo,
  reparseInsuredBatch,
} from '../../contract/calls/batches.ts';
import {
  addTemplate,
  downloadTemplate,
  modifyTemplate,
  queryTemplateList,
  removeTemplate,
  testTemplate,
} from '../../contract/calls/templates.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { keeper } from '../testing/fixtures.ts';
import {
  applied,
  cellsOf,
  HEADERS,
  listPerson,
  parsed,
  setListScene,
  templateWish,
  uploadList,
  type ListPerson,
} from '../testing/lists.ts';

const NONE = '999999999';
const none = { batchId: NONE, version: 1 };

async function place(app: TestApp) {
  const { maker, templateId, policy } = await setListScene(app);
  return { maker, policyId: (await policy()).id, templateId };
}
const batchVersion = ({ id, version }: { id: string; version: number }) => ({ batchId: id, version });
async function aList(app: TestApp, people: readonly ListPerson[] = [listPerson('张建国')]) {
  const { maker, ...at } = await place(app);
  return parsed(app, maker, people, { ...at, mode: 'ADD' });
}
async function anAppliedList(app: TestApp) {
  const { maker, ...at } = await place(app);
  return applied(app, maker, await keeper(app), [listPerson('张建国')], { ...at, mode: 'ADD' });
}
const firstRow = async (app: TestApp, batchId: string) =>
  (await app.ok(queryInsuredBatchRowList, { batchId }, { as: await keeper(app) })).rows[0]!.id;
/** Files are read by whoever uploaded them. */
const upload = (app: TestApp, as: TestStaff | null) => uploadList(app, as!, [HEADERS, cellsOf(listPerson('李秀兰'))]);

export const batchCases: readonly CallCase[] = [
  callCase(queryTemplateList, async (app) => {
    await place(app);
    return {};
  }),
  callCase(addTemplate, async () => templateWish()),
  callCase(modifyTemplate, async (app) => ({ ...templateWish(), id: (await place(app)).templateId, version: 1 }), {
    foreign: async () => ({ ...templateWish(), id: NONE, version: 1 }),
  }),
  callCase(removeTemplate, async (app) => ({ id: (await place(app)).templateId, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(testTemplate, async (app, as) => ({ fileId: await upload(app, as), templateId: (await place(app)).templateId }), {
    foreign: async () => ({ fileId: NONE }),
  }),
  callCase(downloadTemplate, async (app) => ({ templateId: (await place(app)).templateId }), {
    foreign: async () => ({ templateId: NONE }),
  }),
  callCase(queryInsuredBatchList, async (app) => {
    await aList(app);
    return {};
  }),
  callCase(
    addInsuredBatch,
    async (app, as) => {
      const { policyId, templateId } = await place(app);
      return { templateId, mode: 'ADD' as const, policyIds: [policyId], fileId: await upload(app, as) };
    },
    { foreign: async (app, as) => ({ templateId: NONE, mode: 'ADD' as const, fileId: await upload(app, as) }) },
  ),
  callCase(queryInsuredBatchDetail, async (app) => ({ batchId: (await aList(app)).id }), { foreign: async () => ({ batchId: NONE }) }),
  callCase(queryInsuredBatchRowList, async (app) => ({ batchId: (await aList(app)).id }), { foreign: async () => ({ batchId: NONE }) }),
  callCase(
    modifyInsuredBatchRow,
    async (app) => {
      const batch = await aList(app);
      return { ...batchVersion(batch), rowId: await firstRow(app, batch.id), values: { planCode: 'P2' } };
    },
    { foreign: async () => ({ ...none, rowId: NONE, values: {} }) },
  ),
  callCase(
    excludeInsuredBatchRow,
    async (app) => {
      const batch = await aList(app);
      return { ...batchVersion(batch), rowIds: [await firstRow(app, batch.id)], note: '已离职' };
    },
    { foreign: async () => ({ ...none, code: 'E01', note: '已离职' }) },
  ),
  callCase(
    acceptBatchWarning,
    async (app) => ({
      ...batchVersion(await aList(app, [listPerson('张建国', { effectiveOn: '2026-07-01' })])),
      what: 'CODE' as const,
      code: 'W01',
    }),
    { foreign: async () => ({ ...none, what: 'CODE' as const, code: 'W01' }) },
  ),
  callCase(reparseInsuredBatch, async (app) => batchVersion(await aList(app)), { foreign: async () => none }),
  callCase(queryInsuredBatchImpact, async (app) => ({ batchId: (await aList(app)).id }), { foreign: async () => ({ batchId: NONE }) }),
  callCase(queryInsuredBatchUndo, async (app) => ({ batchId: (await anAppliedList(app)).id }), {
    foreign: async () => ({ batchId: NONE }),
  }),
  callCase(
    auditInsuredBatch,
    async (app) => ({ ...batchVersion(await anAppliedList(app)), action: 'askUndo' as const, opinion: '名单有误' }),
    {
      as: { permissions: [may['batch.undo'].code] },
      foreign: async () => ({ ...none, action: 'askUndo' as const, opinion: '名单有误' }),
    },
  ),
  callCase(addReverseBatch, async (app) => batchVersion(await anAppliedList(app)), { foreign: async () => none }),
  callCase(exportBatchResult, async (app) => ({ batchId: (await aList(app)).id, part: 'ALL' as const }), {
    foreign: async () => ({ batchId: NONE, part: 'ALL' as const }),
  }),
];
