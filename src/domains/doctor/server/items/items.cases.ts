import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addInquiryServiceCategory,
  delInquiryServiceCategory,
  modifyInquiryServiceCategory,
  queryInquiryServiceCategoryList,
  sortInquiryServiceCategory,
} from '../../contract/calls/categories.ts';
import { publishServiceConfig, queryServiceConfig, saveServiceConfig } from '../../contract/calls/config.ts';
import {
  addServiceItem,
  changeServiceItemState,
  delServiceItem,
  exportServiceItemList,
  modifyServiceItem,
  previewServiceItemBands,
  queryServiceItemDetail,
  queryServiceItemList,
  sortServiceItem,
} from '../../contract/calls/items.ts';
import type { TestApp } from '#testing/testApp.ts';
import { configContent, itemFields, makeGroup, makeItem, NONE, operator, priceBands } from '../testing/services.ts';

/** The one draft there may be. */
async function draft(app: TestApp) {
  const as = await operator(app);
  const { draft: there } = await app.ok(queryServiceConfig, {}, { as });
  const { id, version } = there ?? (await app.ok(saveServiceConfig, { content: configContent() }, { as }));
  return { id, version };
}

export const itemCases: readonly CallCase[] = [
  callCase(queryServiceItemList, async (app) => {
    await makeItem(app);
    return { keyword: '图文' };
  }),
  callCase(exportServiceItemList, async (app) => {
    await makeItem(app);
    return { keyword: '图文' };
  }),
  callCase(queryServiceItemDetail, async (app) => ({ id: await makeItem(app) }), { foreign: async () => ({ id: NONE }) }),
  callCase(addServiceItem, async (app) => ({ itemCode: 'CASE_ITEM', ...itemFields((await makeGroup(app)).id) }), {
    foreign: async () => ({ itemCode: 'CASE_NONE', ...itemFields(NONE) }),
  }),
  callCase(
    modifyServiceItem,
    async (app) => {
      const { id } = await makeGroup(app);
      return { id: await makeItem(app, { categoryId: id }), version: 2, ...itemFields(id) };
    },
    { foreign: async (app) => ({ id: NONE, version: 1, ...itemFields((await makeGroup(app)).id) }) },
  ),
  callCase(previewServiceItemBands, async (app) => ({ id: await makeItem(app), priceBands }), {
    foreign: async () => ({ id: NONE, priceBands }),
  }),
  callCase(changeServiceItemState, async (app) => ({ id: await makeItem(app, {}, false), version: 1, action: 'on' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'on' as const }),
  }),
  callCase(delServiceItem, async (app) => ({ id: await makeItem(app, {}, false), version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(
    sortServiceItem,
    async (app) => {
      const { id } = await makeGroup(app);
      return { id: await makeItem(app, { categoryId: id }), version: 2, categoryId: id, index: 0 };
    },
    { foreign: async (app) => ({ id: await makeItem(app), version: 2, categoryId: NONE, index: 0 }) },
  ),

  callCase(queryInquiryServiceCategoryList, async (app) => {
    await makeGroup(app);
    return {};
  }),
  callCase(addInquiryServiceCategory, async (app) => ({ name: '新分类', parentId: (await makeGroup(app)).id }), {
    foreign: async () => ({ name: '新分类', parentId: NONE }),
  }),
  callCase(
    modifyInquiryServiceCategory,
    async (app) => ({ id: (await makeGroup(app)).id, version: 1, name: '改名分类', visibleTo: 'VIP' as const, state: 'ENABLED' as const }),
    { foreign: async () => ({ id: NONE, version: 1, name: '改名', visibleTo: 'VIP' as const, state: 'ENABLED' as const }) },
  ),
  callCase(delInquiryServiceCategory, async (app) => ({ id: (await makeGroup(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(sortInquiryServiceCategory, async (app) => ({ id: (await makeGroup(app)).id, version: 1, parentId: null, index: 0 }), {
    foreign: async () => ({ id: NONE, version: 1, parentId: null, index: 0 }),
  }),

  callCase(queryServiceConfig, async (app) => {
    await draft(app);
    return {};
  }),
  callCase(saveServiceConfig, async (app) => ({ draft: await draft(app), content: configContent({ dailyLimitDefault: 30 }) }), {
    foreign: async () => ({ draft: { id: NONE, version: 1 }, content: configContent() }),
  }),
  callCase(publishServiceConfig, async (app) => draft(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
];
