import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
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
  queryServiceItemList,
  sortServiceItem,
} from '../../contract/calls/items.ts';
import { addServiceOpening } from '../../contract/calls/openings.ts';
import { configContent, itemFields, makeGroup, makeItem, operator, openFor, priceBands, videoItem } from '../testing/services.ts';
import { activeServiceConfig } from './active.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const order = async (parentId: string | null) =>
  (await app.ok(queryInquiryServiceCategoryList, {}, { as: await operator(app) }))
    .filter((node) => node.parentId === parentId)
    .map(({ name }) => name);

describe('groups', () => {
  it('have two levels, free names and an order; what holds items stays', async () => {
    const as = await operator(app);
    const root = await makeGroup(app, { name: '专家问诊' });
    expect((await app.refused(addInquiryServiceCategory, { name: '专家问诊' }, { as })).code).toBe('SCM90020');
    const [first, second] = [
      await makeGroup(app, { name: '三甲专家', parentId: root.id }),
      await makeGroup(app, { name: '知名专家', parentId: root.id }),
    ];
    expect((await app.refused(addInquiryServiceCategory, { name: '太深', parentId: first.id }, { as })).code).toBe('SCM90020');
    expect((await app.refused(sortInquiryServiceCategory, { id: root.id, version: 1, parentId: first.id, index: 0 }, { as })).code).toBe(
      'SCM90020',
    );
    await app.ok(sortInquiryServiceCategory, { id: second.id, version: 1, parentId: root.id, index: 0 }, { as });
    expect(await order(root.id)).toEqual(['知名专家', '三甲专家']);
    expect((await app.refused(delInquiryServiceCategory, { id: root.id, version: 1 }, { as })).code).toBe('SCM90020');
    await makeItem(app, { categoryId: first.id });
    expect(await app.refused(delInquiryServiceCategory, { id: first.id, version: 1 }, { as })).toMatchObject({
      code: 'SCM07057',
      message: '分类下有1个服务项目，不能删除',
    });
    await app.ok(delInquiryServiceCategory, { id: second.id, version: 2 }, { as });
    expect(
      (
        await app.refused(
          modifyInquiryServiceCategory,
          { id: first.id, version: 9, name: '三甲', visibleTo: 'VIP', state: 'ENABLED' },
          { as },
        )
      ).code,
    ).toBe('SCM90030');
    await app.ok(modifyInquiryServiceCategory, { id: first.id, version: 1, name: '三甲', visibleTo: 'VIP', state: 'DISABLED' }, { as });
    expect((await app.refused(addServiceItem, { itemCode: 'IN_CLOSED', ...itemFields(first.id) }, { as })).code).toBe('SCM90020');
  });
});

describe('items', () => {
  it('are refused while billing, type, titles and prices do not go together', async () => {
    const as = await operator(app);
    const { id } = await makeGroup(app);
    const base = { itemCode: 'KQ_TEXT', ...itemFields(id) };
    const faults = async (change: object) =>
      (await app.refused(addServiceItem, { ...base, ...change }, { as })).fields?.map(({ path }) => path);
    expect(await faults({ quotaReplies: null })).toEqual(['quotaReplies']);
    expect(await faults({ billing: 'PERIOD' })).toEqual(['periodDays']);
    expect(await faults({ itemType: 'VIDEO', billing: 'TIME' })).toEqual(['durationMin']);
    expect(await faults({ ...videoItem, billing: 'REPLIES', quotaReplies: 3 })).toEqual(['billing']);
    expect(await faults({ validHours: null })).toEqual(['validHours']);
    expect(await faults({ priceBands: { ...priceBands, CHIEF: undefined } })).toEqual(['priceBands.CHIEF']);
    expect(await faults({ titleMin: 'CHIEF' })).toEqual(['priceBands.ASSOCIATE']);
    expect(await faults({ itemCode: 'kq-text' })).toEqual(['itemCode']);
    const free = { minFen: 0, defaultFen: 0, maxFen: 100 };
    expect((await app.refused(addServiceItem, { ...base, priceBands: { ...priceBands, CHIEF: free } }, { as })).code).toBe('SCM07056');
    const added = await app.ok(addServiceItem, { ...base, freeAllowed: true, priceBands: { ...priceBands, CHIEF: free } }, { as });
    expect((await app.refused(addServiceItem, base, { as })).code).toBe('SCM90020');
    await app.ok(delServiceItem, { id: added.id, version: 1 }, { as });
  });

  it('once used are only taken off the shelf', async () => {
    const as = await operator(app);
    const { itemId } = await openFor(app);
    await app.ok(changeServiceItemState, { id: itemId, version: 2, action: 'off', opinion: '停止合作' }, { as });
    expect((await app.refused(delServiceItem, { id: itemId, version: 3 }, { as })).code).toBe('SCM07050');
  });

  it('keep the order that they are dragged into', async () => {
    const as = await operator(app);
    const { id: categoryId } = await makeGroup(app);
    const [a, b, c] = [await makeItem(app, { categoryId }), await makeItem(app, { categoryId }), await makeItem(app, { categoryId })];
    await app.ok(sortServiceItem, { id: c, version: 2, categoryId, index: 0 }, { as });
    const { rows } = await app.ok(queryServiceItemList, { categoryId }, { as });
    expect(rows.map(({ id }) => id)).toEqual([c, a, b]);
  });
});

describe('the configuration', () => {
  it('is drafted, published with its difference, and holds from its time on', async () => {
    const [maker, checker] = [await operator(app), await operator(app, 'checker')];
    expect(await activeServiceConfig(app.db, app.clock.now())).toMatchObject({ maxOpenPerDoctor: 10 });
    const draft = await app.ok(saveServiceConfig, { content: configContent({ maxOpenPerDoctor: 8 }) }, { as: maker });
    expect((await app.refused(saveServiceConfig, { content: configContent() }, { as: checker })).code).toBe('SCM90030');
    expect(
      (
        await app.refused(
          saveServiceConfig,
          { content: configContent({ nightClosed: { from: '22:00', to: '22:00' } }), draft: { id: draft.id, version: 1 } },
          { as: maker },
        )
      ).code,
    ).toBe('SCM90020');
    const onlyEditor = await app.staff({ permissions: ['doctor.config.edit'] });
    expect((await app.refused(publishServiceConfig, { id: draft.id, version: 1 }, { as: onlyEditor })).code).toBe('SCM90010');
    expect(
      (await app.refused(publishServiceConfig, { id: draft.id, version: 1, effectiveFrom: plusMs(app.clock.now(), -1) }, { as: checker }))
        .code,
    ).toBe('SCM90020');
    const first = await app.ok(publishServiceConfig, { id: draft.id, version: 1 }, { as: checker });
    expect(first).toMatchObject({ row: { state: 'ACTIVE', versionNo: 1, waiting: false } });
    expect(first.diff).toContainEqual({ path: 'maxOpenPerDoctor', label: '每位医生最多开通数', before: 10, after: 8 });

    const later = plusMs(app.clock.now(), hours(1));
    const second = await app.ok(saveServiceConfig, { content: configContent({ maxOpenPerDoctor: 9 }) }, { as: maker });
    expect(
      await app.ok(publishServiceConfig, { id: second.id, version: 1, effectiveFrom: later, note: '十二月起' }, { as: checker }),
    ).toMatchObject({ row: { waiting: true, state: 'DRAFT' } });
    const third = await app.ok(saveServiceConfig, { content: configContent({ maxOpenPerDoctor: 7 }) }, { as: maker });
    expect((await app.refused(publishServiceConfig, { id: third.id, version: 1 }, { as: checker })).code).toBe('SCM07058');
    expect(await activeServiceConfig(app.db, app.clock.now())).toMatchObject({ maxOpenPerDoctor: 8 });
    expect(await activeServiceConfig(app.db, later)).toMatchObject({ maxOpenPerDoctor: 9 });
    await app.advance(hours(1));
    const now = await app.ok(queryServiceConfig, {}, { as: await operator(app) });
    expect(now).toMatchObject({ active: { versionNo: 2 }, waiting: null, draft: { versionNo: 3 } });
    expect(now.history.map(({ versionNo, state }) => [versionNo, state])).toEqual([
      [2, 'ACTIVE'],
      [1, 'HISTORY'],
    ]);
  });

  it('a waiting version is taken back to the draft', async () => {
    const as = await operator(app);
    const { draft } = await app.ok(queryServiceConfig, {}, { as });
    const { row } = await app.ok(
      publishServiceConfig,
      { id: draft!.id, version: draft!.version, effectiveFrom: plusMs(app.clock.now(), hours(5)) },
      { as },
    );
    expect(await app.ok(publishServiceConfig, { id: row.id, version: row.version, action: 'cancel' }, { as })).toMatchObject({
      row: { waiting: false, effectiveFrom: null },
    });
    expect((await app.refused(publishServiceConfig, { id: row.id, version: row.version + 1, action: 'cancel' }, { as })).code).toBe(
      'SCM90031',
    );
  });

  it('limits what a doctor opens', async () => {
    const as = await operator(app);
    const { draft } = await app.ok(queryServiceConfig, {}, { as });
    const saved = await app.ok(
      saveServiceConfig,
      { draft: { id: draft!.id, version: draft!.version }, content: configContent({ maxOpenPerDoctor: 1, dailyLimitDefault: 3 }) },
      { as },
    );
    await app.ok(publishServiceConfig, { id: saved.id, version: saved.version }, { as });
    const { doctorId } = await openFor(app);
    expect((await app.refused(addServiceOpening, { doctorId, itemId: await makeItem(app), priceFen: 9_900 }, { as })).fields).toEqual([
      { path: 'itemId', message: '每位医生最多开通1项服务' },
    ]);
  });
});
