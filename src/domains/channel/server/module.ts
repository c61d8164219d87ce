import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { channelEvents } from '#events/channel.ts';
import { channelDictionaries } from '../contract/dictionaries.ts';
import { channelErrors } from '../contract/errors.ts';
import { channelMachinePermissions, channelPermissions } from '../contract/permissions.ts';
import { channelRoutes } from '../contract/routes.ts';
import { channelsModule } from './channels/module.ts';
import { channelObjects } from './channels/objectType.ts';
import { codesModule } from './codes/module.ts';
import { writeDemo, writeDemoAfter } from './demo/writeDemo.ts';
import { declareFiles } from './files.ts';
import { channelJobs } from './jobs.ts';
import { landingModule } from './landing/module.ts';
import { channelConsumers } from './refs/consumers.ts';
import { scenesModule } from './scenes/module.ts';
import { vipModule } from './vip/module.ts';
import { wecomModule } from './wecom/module.ts';

export { channelNames, channelsByNo } from './services.ts';

export const channelModule: ServerModuleFactory = (kernel) => {
  declareFiles();
  return {
    domain: 'channel',
    permissions: [...Object.values(channelPermissions), ...Object.values(channelMachinePermissions)],
    routes: channelRoutes,
    errors: channelErrors,
    dictionaries: channelDictionaries,
    events: channelEvents,
    ...joinFeatures(kernel, [
      channelsModule,
      vipModule,
      codesModule,
      scenesModule,
      landingModule,
      wecomModule(kernel),
      { jobs: channelJobs, consumers: channelConsumers, demo: writeDemo },
    ]),
    objectTypes: [channelObjects],
    demoAfter: writeDemoAfter,
  };
};
