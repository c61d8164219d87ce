import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { audit, stop } from './audit.ts';
import { audienceImporter } from './importer.ts';
import { campaignExport, campaignList } from './list.ts';
import { add, detail, modify, preview } from './save.ts';
import { campaignJob } from './send.ts';

/** 群发任务: one-off sending to an audience, through the engine's gates. */
export const campaignsModule: FeatureModule = {
  handlers: (kernel) => [campaignList.handler, detail, add, modify, preview, audit(kernel), stop],
  exports: [campaignExport],
  importers: [audienceImporter],
  jobs: [campaignJob],
};
