import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addServiceOpening,
  auditServiceOpening,
  batchAuditServiceOpening,
  batchOpenService,
  changeOpeningState,
  exportOpeningApplyList,
  exportServiceOpeningList,
  modifyServiceOpening,
  queryOpeningApplyList,
  queryServiceOpeningCounts,
  queryServiceOpeningDetail,
  queryServiceOpeningList,
} from '../../contract/calls/openings.ts';
import { applyFor, makeItem, makeSeller, NONE, openFor } from '../testing/services.ts';

export const openingCases: readonly CallCase[] = [
  callCase(queryServiceOpeningList, async (app) => {
    await openFor(app);
    return { state: ['ON' as const], doctorName: 'lwb' };
  }),
  callCase(queryOpeningApplyList, async (app) => {
    await applyFor(app);
    return { state: ['PENDING' as const] };
  }),
  callCase(queryServiceOpeningCounts, async () => ({})),
  callCase(queryServiceOpeningDetail, async (app) => ({ id: (await openFor(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addServiceOpening, async (app) => ({ doctorId: await makeSeller(app), itemId: await makeItem(app), priceFen: 9_900 }), {
    foreign: async (app) => ({ doctorId: NONE, itemId: await makeItem(app), priceFen: 9_900 }),
  }),
  callCase(
    batchOpenService,
    async (app) => ({ doctorIds: [await makeSeller(app)], itemId: await makeItem(app), priceMode: 'DEFAULT' as const }),
    { foreign: async (app) => ({ doctorIds: [await makeSeller(app)], itemId: NONE, priceMode: 'DEFAULT' as const }) },
  ),
  callCase(modifyServiceOpening, async (app) => ({ id: (await openFor(app)).id, version: 2, priceFen: 10_000, reason: '微调价格' }), {
    foreign: async () => ({ id: NONE, version: 1, dailyLimit: 5 }),
  }),
  callCase(changeOpeningState, async (app) => ({ id: (await openFor(app)).id, version: 2, action: 'pause' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'pause' as const }),
  }),
  callCase(
    auditServiceOpening,
    async (app) => ({ applyId: (await applyFor(app)).applyId, version: 1, action: 'reject' as const, opinion: '价格偏高' }),
    { foreign: async () => ({ applyId: NONE, version: 1, action: 'approve' as const }) },
  ),
  callCase(batchAuditServiceOpening, async (app) => ({ applyIds: [(await applyFor(app)).applyId], action: 'approve' as const })),
  callCase(exportOpeningApplyList, async (app) => {
    await applyFor(app);
    return { state: ['PENDING' as const] };
  }),
  callCase(exportServiceOpeningList, async (app) => {
    await openFor(app);
    return {};
  }),
];
