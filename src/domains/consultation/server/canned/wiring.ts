import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { writeCannedReplies } from './demo.ts';
import { cannedHandlers, registerCannedFiles } from './handlers.ts';
import { cannedImporter } from './importer.ts';

/** Prepared texts with variables. */
export const cannedPart: ModulePart = {
  handlers(kernel) {
    registerCannedFiles();
    return cannedHandlers(kernel);
  },
  importers: [cannedImporter],
  demo: writeCannedReplies,
};
