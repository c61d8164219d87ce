import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { diseaseImporter } from './importer.ts';
import { diseaseList } from './list.ts';
import { addDisease, modifyDisease, removeDisease } from './save.ts';

export const diseasesModule: FeatureModule = {
  handlers: [diseaseList.handler, addDisease, removeDisease, modifyDisease],
  importers: [diseaseImporter],
};
