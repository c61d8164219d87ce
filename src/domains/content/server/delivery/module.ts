import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { serveDefaultPictures } from '../gateway/defaultPictures.ts';
import { pageContent } from '../gateway/pageContent.ts';
import { report } from '../gateway/report.ts';
import { statExport, statList } from '../stats/list.ts';
import { advertActionHandlers, bannerActionHandlers } from './actions.ts';
import { writeDeliveryDemo } from './demo/writeDeliveryDemo.ts';
import { declareFiles } from './files.ts';
import { deliveryInvariants } from './invariants.ts';
import { expireApprovals, forgetViewers } from './jobs.ts';
import { advertExport, advertList, bannerExport, bannerList } from './list.ts';
import { advertDetail, audienceEstimate, bannerDetail, calendar, conflict, deliveryCounts } from './reads.ts';
import { advertSaves, deliverySaves, sortBanners } from './save.ts';
import { offConsumers } from './offConsumers.ts';
import { thingReads } from './offered.ts';

/** Banners and advertisements, what clients show of them, and what is counted of it. */
export const deliveryModule = (): FeatureModule => {
  declareFiles();
  return {
    handlers: (kernel) => [
      bannerList(kernel).handler,
      bannerDetail(kernel),
      ...deliverySaves(kernel),
      ...bannerActionHandlers(kernel),
      sortBanners,
      conflict,
      audienceEstimate(kernel),
      deliveryCounts,
      ...thingReads(kernel),
      calendar,
      advertList(kernel).handler,
      advertDetail(kernel),
      ...advertSaves(kernel),
      ...advertActionHandlers(kernel),
      statList.handler,
      ...pageContent(kernel),
      report(kernel),
    ],
    exports: (kernel) => [bannerExport(bannerList(kernel)), advertExport(advertList(kernel)), statExport],
    jobs: [expireApprovals, forgetViewers],
    consumers: offConsumers,
    http: serveDefaultPictures,
    demo: writeDeliveryDemo,
    invariants: deliveryInvariants,
  };
};
