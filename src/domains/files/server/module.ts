import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ServerModule } from '#kernel/server/module.ts';
import { fileEvents } from '#events/files.ts';
import { fileDictionaries } from '../contract/dictionaries.ts';
import { fileErrors } from '../contract/errors.ts';
import { filePermissions } from '../contract/permissions.ts';
import { fileRoutes } from '../contract/routes.ts';
import { exportMachine, fileMachine, importMachine } from '../contract/states.ts';
import { fileConsumers } from './consumers.ts';
import { writeFilesDemo } from './demo/demo.ts';
import { exportsModule } from './exports/module.ts';
import { makeExportTasks } from './exports/requestExport.ts';
import { importsModule } from './imports/module.ts';
import { makeImportTasks } from './imports/startImport.ts';
import { objectsModule } from './objects/module.ts';
import { makeFileStore } from './objects/store.ts';
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
  ...joinFeatures(kernel, [
    objectsModule,
    exportsModule,
    importsModule,
    { consumers: fileConsumers, http: registerFileRoutes, demo: writeFilesDemo },
  ]),
  datasets: [downloadSet],
  builtinPages: [downloadPage],
  ports: { files: makeFileStore(kernel), exportTasks: makeExportTasks(kernel), importTasks: makeImportTasks(kernel) },
});
