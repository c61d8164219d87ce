import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { add, download, modify, remove, templateList, test } from './templates.ts';

/** How the files of a sender are read: which column is what. */
export const templatesModule: FeatureModule = {
  handlers: (kernel) => [templateList.handler, add, modify, remove, test(kernel), download],
};
