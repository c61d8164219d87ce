import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { lotExport, lotList, lotMoves } from './list.ts';

/** Parts of balances with their own sources and expiries. */
export const lotsModule: FeatureModule = {
  handlers: (kernel) => [lotList(kernel).handler, lotMoves.handler],
  exports: (kernel) => [lotExport(kernel)],
};
