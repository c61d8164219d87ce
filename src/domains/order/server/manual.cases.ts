import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  addManualOrder,
  auditManualOrder,
  exportManualOrderList,
  matchManualOrder,
  modifyManualOrder,
  queryManualOrderDetail,
  queryManualOrderList,
  retryManualOrder,
  revealManualOrder,
  submitManualOrder,
  voidManualOrder,
} from '../contract/calls/manualOrders.ts';
import { queryExceptionCounts } from '../contract/calls/exceptions.ts';
import { NONE } from './testing/fixtures.ts';
import { approval, makeFailed, makeManual, makeSubmittedManual, manualInput, manualRow, on } from './testing/manual.ts';

const missing = { manualOrderId: NONE, version: 1 };
const ending = { opinion: '小票重复录入' };

async function changed(app: TestApp, as: TestStaff | null) {
  const draft = await makeManual(app, {}, as ?? undefined);
  const { attachmentFileIds, drugstoreId, purchaseDate, receiptNo } = await manualRow(app, draft.manualOrderId);
  const { mobile: _mobile, buyerName: _name, ...facts } = await manualInput(app, draft.author);
  return { ...on(draft), ...facts, attachmentFileIds, drugstoreId, purchaseDate, receiptNo };
}
async function matched(app: TestApp) {
  const { manualOrderId, author } = await makeManual(app);
  const { drugstoreId, purchaseDate, lines } = await manualInput(app, author);
  return { manualOrderId, drugstoreId, purchaseDate, lines };
}

export const manualCases: readonly CallCase[] = [
  callCase(queryExceptionCounts, async () => ({})),
  callCase(queryManualOrderList, async (app) => ({ manualNo: (await manualRow(app, (await makeManual(app)).manualOrderId)).manualNo })),
  callCase(exportManualOrderList, async (app) => ({ manualNo: (await manualRow(app, (await makeManual(app)).manualOrderId)).manualNo })),
  callCase(queryManualOrderDetail, async (app) => ({ manualOrderId: (await makeManual(app)).manualOrderId }), {
    foreign: async () => ({ manualOrderId: NONE }),
  }),
  callCase(matchManualOrder, async (app) => matched(app), { foreign: async (app) => ({ ...(await matched(app)), manualOrderId: NONE }) }),
  callCase(addManualOrder, async (app, as) => manualInput(app, as!)),
  callCase(modifyManualOrder, async (app, as) => changed(app, as), {
    foreign: async (app, as) => ({ ...(await changed(app, as)), ...missing }),
  }),
  callCase(submitManualOrder, async (app) => on(await makeManual(app)), { foreign: async () => missing }),
  callCase(auditManualOrder, async (app) => ({ ...on(await makeSubmittedManual(app)), ...approval }), {
    foreign: async () => ({ ...missing, ...approval }),
  }),
  callCase(retryManualOrder, async (app) => on(await makeFailed(app)), { foreign: async () => missing }),
  callCase(voidManualOrder, async (app) => ({ ...on(await makeManual(app)), ...ending }), {
    foreign: async () => ({ ...missing, ...ending }),
  }),
  callCase(revealManualOrder, async (app) => ({ id: (await makeManual(app)).manualOrderId, field: 'mobile' as const }), {
    foreign: async () => ({ id: NONE, field: 'mobile' as const }),
  }),
];
