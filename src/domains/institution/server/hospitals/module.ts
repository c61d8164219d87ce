import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { scoreBatchJob } from '../jobs.ts';
import { hospitalImporter } from '../transfer/hospitalImporter.ts';
import { hospitalHandlers } from './handlers.ts';
import { hospitalExport } from './list.ts';

export const hospitalsModule: FeatureModule = {
  handlers: hospitalHandlers,
  exports: [hospitalExport],
  importers: [hospitalImporter],
  jobs: [scoreBatchJob],
};
