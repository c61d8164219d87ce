import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { Kernel, ServerModule } from '#kernel/server/kernel.ts';
import { orderDictionaries } from '../contract/dictionaries.ts';
import { orderErrors } from '../contract/errors.ts';
import { shieldWindows } from '../contract/pageWindows.ts';
import { orderPermissions } from '../contract/permissions.ts';
import { orderRoutes } from '../contract/routes.ts';
import type { Channels } from './channels.ts';
import { orderSets } from './pages/datasets.ts';
import { shieldPage } from './pages/shield.ts';
import { shieldModule } from './shield/module.ts';

/** What people may buy, and later their orders from the prescription to the delivered box. */
export const orderModule = (kernel: Kernel, channels: Channels): ServerModule => ({
  domain: 'order',
  permissions: Object.values(orderPermissions),
  routes: orderRoutes,
  errors: orderErrors,
  dictionaries: orderDictionaries,
  ...joinFeatures(kernel, [shieldModule(channels)]),
  datasets: orderSets,
  builtinPages: [shieldPage],
  pageWindows: Object.values(shieldWindows),
});
