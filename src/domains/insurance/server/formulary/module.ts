import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { command } from '../../../../kernel/server/handler.ts';
import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { importFormularyLine } from '../../contract/formulary/lineCalls.ts';
import { addLine, formularies, formularyExport, lines, linesExport, modifyLine, openFormularyVersion, removeLine } from './lineHandlers.ts';
import { lineImporter } from './importer.ts';
import { addList, addVersion, auditVersion, diffVersions, listDetail, modifyList, modifyVersion, removeVersion } from './versions.ts';

/** Drug lists with their versions and lines. */
export const formularyModule: FeatureModule = {
  handlers: (kernel) => [
    formularies.handler,
    exportHandler(formularyExport, kernel),
    addList,
    modifyList,
    listDetail(kernel),
    addVersion,
    modifyVersion,
    removeVersion,
    auditVersion,
    diffVersions,
    lines.handler,
    exportHandler(linesExport, kernel),
    addLine,
    modifyLine,
    removeLine,
    command(importFormularyLine, async ({ fileId, mode, formularyVersionId }, ctx) => {
      await openFormularyVersion(ctx, formularyVersionId);
      const params = { formularyVersionId };
      return kernel.ports.importTasks.start(ctx, { importerCode: lineImporter.code, fileId, params, mode, staff: ctx.staff }, ctx.now);
    }),
  ],
  exports: [formularyExport, linesExport],
  importers: [lineImporter],
};
