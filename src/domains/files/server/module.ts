import type { Kernel } from '../../../kernel/server/kernel.ts';
import type { ServerModule } from '../../../kernel/server/module.ts';
import { fileEvents } from '../../../events/files.ts';
import { fileDictionaries } from '../contract/dictionaries.ts';
import { fileErrors } from '../contract/errors.ts';
import { filePermissions } from '../contract/permissions.ts';
import { fileRoutes } from '../contract/routes.ts';
import { exportMachine, fileMachine, importMachine } from '../contract/states.ts';
import { fileConsumers } from './consumers.ts';
import { demoSource } from './demo/bigData.ts';
import { writeFilesDemo } from './demo/demo.ts';
import { expireExports, reviveExports } from './exports/exportSweeps.ts';
import { exportHandlers } from './exports/handlers.ts';
import { makeExportTasks } from './exports/requestExport.ts';
import { runExports } from './exports/runExports.ts';
import { commitImport } from './imports/commitImport.ts';
import { importHandlers } from './imports/handlers.ts';
import { dropImportRows, reviveImports } from './imports/importSweeps.ts';
import { makeImportTasks } from './imports/startImport.ts';
import { validateImport } from './imports/validateImport.ts';
import { inspectFile } from './objects/complete.ts';
import { objectHandlers } from './objects/handlers.ts';
import { makeFileStore } from './objects/store.ts';
import { expireFiles, reviveInspections } from './objects/sweeps.ts';
import { sweepStorage, verifyBytes } from './objects/verifyBytes.ts';
import { downloadPage, downloadSet } from './pages/downloadCenter.ts';
import { registerFileRoutes } from './rawRoutes.ts';

/** The server half of files, for the composition root. */
export const filesModule = (kernel: Kernel): ServerModule => ({
  domain: 'files',
  permissions: Object.values(filePermissions),
  routes: fileRoutes,
  errors: fileErrors,
  dictionaries: [...fileDictionaries, fileMachine.dictionary, exportMachine.dictionary, importMachine.dictionary],
  events: fileEvents,
  handlers: [...objectHandlers(kernel), ...exportHandlers(kernel), ...importHandlers(kernel)],
  jobs: [
    inspectFile,
    expireFiles,
    reviveInspections,
    verifyBytes,
    sweepStorage,
    runExports,
    reviveExports,
    expireExports,
    validateImport,
    commitImport,
    reviveImports,
    dropImportRows,
  ],
  consumers: fileConsumers,
  datasets: [downloadSet],
  builtinPages: [downloadPage],
  exports: kernel.config.mode === 'production' ? [] : [demoSource],
  ports: { files: makeFileStore(kernel), exportTasks: makeExportTasks(kernel), importTasks: makeImportTasks(kernel) },
  http: (app) => registerFileRoutes(app, kernel),
  demo: writeFilesDemo,
});
