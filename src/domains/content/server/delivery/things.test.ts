import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectType, optionVariable, yesOrNo } from '#kernel/server/objectTypes.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeCompany } from '#domains/pharma/server/testing/fixtures.ts';
import { addAdvertise, queryAdvertiseDetail } from '../../contract/adverts/calls.ts';
import { addBanner, queryBannerList } from '../../contract/banners/calls.ts';
import { queryPageContent } from '../../contract/delivery/calls.ts';
import { queryThingList, queryThingTypeList } from '../../contract/delivery/things.ts';
import { previewPage } from '../../contract/releases/calls.ts';
import { adInput, bannerInput, judge, liveBanner, maker } from '../testing/deliveries.ts';

/** What a later domain brings: products that can be off sale, and insurers. */
let onSale = '1';
const later: ServerModuleFactory = () => ({
  domain: 'later',
  permissions: [],
  routes: [],
  errors: {},
  handlers: [],
  objectTypes: [
    objectType({
      code: 'PRODUCT',
      seen: () => sql`select 77::bigint as id, 'CP000077' as no, '惠民保标准版' as name`,
      link: () => null,
      offeredFact: 'product.onSale',
      rules: {
        variables: [optionVariable({ code: 'product.onSale', name: '在售', source: '产品', refreshOn: [] }, yesOrNo)],
        facts: async (_db, ids) => ids.map((id) => ({ id, code: 'product.onSale', value: onSale, at: null })),
      },
    }),
    objectType({ code: 'INSURER', seen: () => sql`select 5::bigint as id, 'BX05' as no, '康桥财险' as name`, link: () => null }),
  ],
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ besides: [later] });
});
afterAll(() => app.close());

it('offers a kind of thing from the day on which its owner registers it, and no other', async () => {
  const as = await maker(app);
  expect(await app.ok(queryThingTypeList, {}, { as })).toEqual(['MEDICINE', 'PRODUCT', 'DOCTOR', 'PHARMA_COMPANY', 'INSURER']);
  expect(await app.ok(queryThingList, { thingType: 'COUPON' }, { as })).toEqual([]);
  const input = await bannerInput(app, as, { positionCode: 'MP_RIGHTS_BANNER' });
  expect(await app.refused(addBanner, { ...input, linkType: 'COUPON', linkValue: 'YH01' }, { as })).toMatchObject({
    fields: [{ path: 'linkType', message: '领券尚未启用，请选择其他跳转类型' }],
  });
  expect(await app.refused(addBanner, { ...input, linkType: 'PRODUCT', linkValue: 'CP-NONE' }, { as })).toMatchObject({ code: 'SCM04004' });
  expect(await app.ok(queryThingList, { thingType: 'PRODUCT', keyword: '惠民保' }, { as })).toEqual([
    { id: '77', no: 'CP000077', name: '惠民保标准版' },
  ]);
  await liveBanner(app, { positionCode: 'MP_RIGHTS_BANNER', bannerName: '投保入口', linkType: 'PRODUCT', linkValue: 'CP000077' });
  const shown = async () => {
    const { positions } = await app.ok(queryPageContent, { pageCode: 'MP_RIGHTS' }, {});
    return positions.find(({ positionCode }) => positionCode === 'MP_RIGHTS_BANNER')?.items ?? [];
  };
  const inList = async () => (await app.ok(queryBannerList, { bannerName: '投保入口' }, { as })).rows[0];
  expect(await shown()).toMatchObject([{ linkType: 'PRODUCT', linkObjectId: '77' }]);
  expect(await inList()).toMatchObject({ linkOff: false });
  // Off sale it is not shown, and the list and the preview say why.
  onSale = '0';
  expect(await shown()).toEqual([]);
  expect(await inList()).toMatchObject({ linkOff: true });
  const { positions } = await app.ok(previewPage, { pageCode: 'MP_RIGHTS' }, { as: await judge(app) });
  expect(positions.flatMap(({ items }) => items)).toMatchObject([{ name: '投保入口', reason: 'OFF' }]);
});

it('asks for the record of a sponsor whose kind is registered, and takes its name', async () => {
  const as = await maker(app);
  const input = await adInput(app, as, { sponsorName: '随便写的' });
  const add = (more: object) => app.refused(addAdvertise, { ...input, ...more }, { as });
  expect(await add({ sponsorType: 'PHARMA' })).toMatchObject({ fields: [{ path: 'sponsorId', message: '请选择药企' }] });
  expect(await add({ sponsorType: 'INSURER', sponsorId: '999' })).toMatchObject({
    fields: [{ path: 'sponsorId', message: '保司不存在，请重新选择' }],
  });
  const company = await makeCompany(app);
  const sponsorOf = async (more: object) => {
    const { id } = await app.ok(addAdvertise, { ...input, imageFileId: null, ...more }, { as });
    const { advert } = await app.ok(queryAdvertiseDetail, { id }, { as });
    return [advert.sponsorId, advert.sponsorName];
  };
  const [companyId, name] = await sponsorOf({ sponsorType: 'PHARMA', sponsorId: company.id });
  expect(companyId).toBe(company.id);
  expect(await app.ok(queryThingList, { thingType: 'PHARMA_COMPANY', id: company.id }, { as })).toMatchObject([{ id: company.id, name }]);
  expect(await sponsorOf({ sponsorType: 'INSURER', sponsorId: '5' })).toEqual(['5', '康桥财险']);
  expect(await sponsorOf({ sponsorType: 'OTHER', sponsorId: '5' })).toEqual([null, '随便写的']);
});
