import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { chooseLive } from '../wecom/codes/choose.ts';
import { bind } from './bind.ts';
import { registerLanding } from './route.ts';

/** Where a scanned code leads. */
export const landingModule: FeatureModule = {
  handlers: (kernel) => [bind(kernel)],
  http: (app, kernel) => registerLanding(app, kernel, chooseLive),
};
