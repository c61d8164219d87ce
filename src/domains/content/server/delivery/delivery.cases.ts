import { days, plusMs } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import {
  addAdvertise,
  adjustAdvertise,
  auditAdvertise,
  copyAdvertise,
  delAdvertise,
  exportAdvertiseList,
  modifyAdvertise,
  queryAdvertiseDetail,
  queryAdvertiseList,
} from '../../contract/adverts/calls.ts';
import {
  addBanner,
  adjustBanner,
  auditBanner,
  copyBanner,
  delBanner,
  exportBannerList,
  modifyBanner,
  queryAudienceEstimate,
  queryBannerConflict,
  queryBannerDetail,
  queryBannerList,
  queryDeliveryCalendar,
  queryDeliveryCounts,
  sortBanner,
} from '../../contract/banners/calls.ts';
import { queryPageContent, queryViewerContent, reportContentEvent } from '../../contract/delivery/calls.ts';
import { queryThingList, queryThingTypeList } from '../../contract/delivery/things.ts';
import { exportContentStat, queryContentStat } from '../../contract/stats/calls.ts';
import { adInput, bannerInput, liveAd, liveBanner, makeAd, makeBanner, maker } from '../testing/deliveries.ts';

const NONE = '999999999';
const of = ({ id, version }: { id: string; version: number }) => ({ id, version });
const period = (app: TestApp) => ({ startAt: app.clock.now(), endAt: plusMs(app.clock.now(), days(10)) });
const span = { from: '2026-11-01', to: '2026-11-30' } as const;

export const deliveryCases: readonly CallCase[] = [
  callCase(queryBannerList, async (app) => {
    await makeBanner(app);
    return {};
  }),
  callCase(exportBannerList, async (app) => (await makeBanner(app), {})),
  callCase(queryThingTypeList, async () => ({})),
  callCase(queryThingList, async () => ({ thingType: 'PHARMA_COMPANY' as const })),
  callCase(queryBannerDetail, async (app) => ({ id: (await makeBanner(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addBanner, async (app, as) => bannerInput(app, as ?? (await maker(app)))),
  callCase(
    modifyBanner,
    async (app) => ({ ...of(await makeBanner(app)), ...(await bannerInput(app, await maker(app), { imageFileId: null })) }),
    {
      foreign: async (app) => ({ id: NONE, version: 1, ...(await bannerInput(app, await maker(app), { imageFileId: null })) }),
    },
  ),
  callCase(delBanner, async (app) => of(await makeBanner(app)), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(auditBanner, async (app) => ({ ...of(await makeBanner(app)), action: 'submit' as const }), {
    as: { permissions: ['content.banner.edit', 'content.banner.audit'] },
    foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const }),
  }),
  callCase(adjustBanner, async (app) => ({ ...of(await liveBanner(app)), endAt: plusMs(app.clock.now(), days(5)), priority: 60 }), {
    foreign: async (app) => ({ id: NONE, version: 1, endAt: plusMs(app.clock.now(), days(5)) }),
  }),
  callCase(copyBanner, async (app) => ({ id: (await makeBanner(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(
    sortBanner,
    async (app) => ({
      positionCode: 'DR_EARNING_BANNER' as const,
      ids: [(await liveBanner(app, { positionCode: 'DR_EARNING_BANNER' })).id],
    }),
    { foreign: async () => ({ positionCode: 'DR_HOME_BANNER' as const, ids: [NONE] }) },
  ),
  callCase(queryBannerConflict, async (app) => ({ positionCode: 'MP_HOME_BANNER' as const, ...period(app) })),
  callCase(queryAudienceEstimate, async () => ({ clientType: 'PATIENT' as const })),
  callCase(queryDeliveryCounts, async () => ({ kind: 'BANNER' as const })),
  callCase(queryDeliveryCalendar, async () => ({ ...span })),
  callCase(queryAdvertiseList, async (app) => {
    await makeAd(app);
    return {};
  }),
  callCase(exportAdvertiseList, async (app) => (await makeAd(app), {})),
  callCase(queryAdvertiseDetail, async (app) => ({ id: (await makeAd(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addAdvertise, async (app, as) => adInput(app, as ?? (await maker(app)))),
  callCase(modifyAdvertise, async (app) => ({ ...of(await makeAd(app)), ...(await adInput(app, await maker(app))), imageFileId: null }), {
    foreign: async (app) => ({ id: NONE, version: 1, ...(await adInput(app, await maker(app))), imageFileId: null }),
  }),
  callCase(delAdvertise, async (app) => of(await makeAd(app)), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(auditAdvertise, async (app) => ({ ...of(await makeAd(app)), action: 'submit' as const }), {
    as: { permissions: ['content.ad.edit', 'content.ad.audit'] },
    foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const }),
  }),
  callCase(adjustAdvertise, async (app) => ({ ...of(await liveAd(app)), endAt: plusMs(app.clock.now(), days(5)), capPerPersonDay: 2 }), {
    foreign: async (app) => ({ id: NONE, version: 1, endAt: plusMs(app.clock.now(), days(5)) }),
  }),
  callCase(copyAdvertise, async (app) => ({ id: (await makeAd(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(queryContentStat, async () => ({ kind: 'AD' as const, ...span })),
  callCase(exportContentStat, async (app) => {
    const { id } = await makeBanner(app);
    await app.database.asOwner(`insert into content_stat (delivery_id, day, hour, impressions) values (${id}, '${span.from}', 10, 3)`);
    return { kind: 'BANNER' as const, ...span };
  }),
  callCase(queryPageContent, async () => ({ pageCode: 'MP_MINE' }), { foreign: async () => ({ pageCode: 'NOBODY' }) }),
  callCase(queryViewerContent, async (app) => ({ pageCode: 'MP_MINE', viewerId: (await makePatient(app)).id }), {
    foreign: async () => ({ pageCode: 'MP_MINE', viewerId: NONE }),
  }),
  callCase(reportContentEvent, async (app) => ({
    events: [{ eventId: 'event-0001', trackId: 'x', type: 'SHOW' as const, at: app.clock.now() }],
  })),
];
