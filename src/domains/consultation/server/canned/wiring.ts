import type { Part } from '../wiring.ts';
import { writeCannedReplies } from './demo.ts';
import { cannedHandlers, registerCannedFiles } from './handlers.ts';
import { cannedImporter } from './importer.ts';

/** Prepared texts with variables. */
export const cannedPart: Part = {
  handlers(kernel) {
    registerCannedFiles();
    return cannedHandlers(kernel);
  },
  importers: [cannedImporter],
  demo: writeCannedReplies,
};
