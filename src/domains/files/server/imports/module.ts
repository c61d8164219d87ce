import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { commitImport } from './commitImport.ts';
import { importHandlers } from './handlers.ts';
import { dropImportRows, reviveImports } from './importSweeps.ts';
import { validateImport } from './validateImport.ts';

/** Tables that are imported, from the check to the undoing. */
export const importsModule: FeatureModule = {
  handlers: importHandlers,
  jobs: [validateImport, commitImport, reviveImports, dropImportRows],
};
