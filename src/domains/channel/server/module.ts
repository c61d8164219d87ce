import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { channelEvents } from '../../../events/channel.ts';
import { channelDictionaries } from '../contract/dictionaries.ts';
import { channelErrors } from '../contract/errors.ts';
import { channelPermissions } from '../contract/permissions.ts';
import { channelRoutes } from '../contract/routes.ts';
import { channelHandlers } from './channels/handlers.ts';
import { channelExport } from './channels/list.ts';
import { channelImporter } from './channels/importChannels.ts';
import { channelObjects } from './channels/objectType.ts';
import { batchExport } from './codes/batchTable.ts';
import { codeHandlers } from './codes/handlers.ts';
import { codeExport } from './codes/list.ts';
import { writeDemo, writeDemoAfter } from './demo/writeDemo.ts';
import { declareFiles } from './files.ts';
import { channelJobs } from './jobs.ts';
import { bind } from './landing/bind.ts';
import { registerLanding } from './landing/route.ts';
import { channelConsumers } from './refs/consumers.ts';
import { scanExport } from './scans/list.ts';
import { sceneHandlers } from './scenes/handlers.ts';
import { sceneCodeExport } from './scenes/list.ts';
import { vipHandlers } from './vip/handlers.ts';
import { vipMemberImporter } from './vip/importMembers.ts';
import { vipExport } from './vip/list.ts';
import { usageExport } from './vip/usage.ts';
import { wecomModule } from './wecom/module.ts';

export const channelModule: ServerModuleFactory = (kernel) => {
  declareFiles();
  const wecom = wecomModule(kernel);
  return {
    domain: 'channel',
    permissions: Object.values(channelPermissions),
    routes: channelRoutes,
    errors: channelErrors,
    dictionaries: channelDictionaries,
    events: channelEvents,
    handlers: [
      ...channelHandlers(kernel),
      ...vipHandlers(kernel),
      ...codeHandlers(kernel),
      ...sceneHandlers(kernel),
      bind(kernel),
      ...wecom.handlers,
    ],
    jobs: [...channelJobs, ...wecom.jobs],
    consumers: channelConsumers,
    exports: [
      channelExport,
      vipExport,
      usageExport,
      codeExport(kernel),
      batchExport,
      scanExport,
      sceneCodeExport(kernel),
      ...wecom.exports,
    ],
    importers: [channelImporter, vipMemberImporter],
    http: (app) => {
      registerLanding(app, kernel, wecom.chooseLive);
      wecom.http(app);
    },
    objectTypes: [channelObjects],
    demo: writeDemo,
    demoAfter: writeDemoAfter,
  };
};
