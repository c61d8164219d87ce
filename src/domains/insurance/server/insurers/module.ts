import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { insurerList, insurerExport, add, modify, remove, setStatus, reveal } from './insurers.ts';

/** Insurers: who carries the risk of a product. */
export const insurersModule: FeatureModule = {
  handlers: (kernel) => [insurerList.handler, add(kernel.secrets), modify(kernel.secrets), remove, setStatus, reveal(kernel.secrets)],
  exports: [insurerExport],
};
