import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addPromotionTag,
  delPromotionTag,
  exportPromotionTagList,
  modifyPromotionTag,
  previewPromotionTag,
  queryPromotionTagList,
  sortPromotionTag,
} from '../../contract/promotion/calls.ts';
import { makeMedicine, makePromotionGroup, makeTag, tagFields } from '../testing/promotion.ts';

const NONE = '999999999';

export const promotionCases: readonly CallCase[] = [
  callCase(queryPromotionTagList, async (app) => {
    await makeTag(app);
    return {};
  }),
  callCase(exportPromotionTagList, async (app) => {
    await makeTag(app);
    return {};
  }),
  callCase(addPromotionTag, async (app) => ({ ...tagFields(), groupId: await makePromotionGroup(app) }), {
    foreign: async () => ({ ...tagFields(), groupId: NONE }),
  }),
  callCase(modifyPromotionTag, async (app) => ({ ...tagFields(), id: await makeTag(app), version: 1 }), {
    foreign: async () => ({ ...tagFields(), id: NONE, version: 1 }),
  }),
  callCase(delPromotionTag, async (app) => ({ id: await makeTag(app), version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(sortPromotionTag, async (app) => ({ ids: [await makeTag(app)] }), { foreign: async () => ({ ids: [NONE] }) }),
  callCase(previewPromotionTag, async (app) => ({ medicineId: (await makeMedicine(app)).id }), {
    foreign: async () => ({ medicineId: NONE }),
  }),
];
