import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { addLine, formularies, formularyExport, lines, linesExport, modifyLine, removeLine } from './lineHandlers.ts';
import { lineImporter } from './importer.ts';
import { addList, addVersion, auditVersion, diffVersions, listDetail, modifyList, modifyVersion, removeVersion } from './versions.ts';

/** Drug lists with their versions and lines. */
export const formularyModule: FeatureModule = {
  handlers: (kernel) => [
    formularies.handler,
    addList,
    modifyList,
    listDetail(kernel),
    addVersion,
    modifyVersion,
    removeVersion,
    auditVersion,
    diffVersions,
    lines.handler,
    addLine,
    modifyLine,
    removeLine,
  ],
  exports: [formularyExport, linesExport],
  importers: [lineImporter],
};
