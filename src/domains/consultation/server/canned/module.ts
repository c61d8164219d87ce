import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeCannedReplies } from './demo.ts';
import { cannedHandlers, registerCannedFiles } from './handlers.ts';
import { cannedImporter } from './importer.ts';

/** Prepared texts with variables. */
export const cannedModule: FeatureModule = {
  handlers() {
    registerCannedFiles();
    return cannedHandlers;
  },
  importers: [cannedImporter],
  demo: writeCannedReplies,
};
