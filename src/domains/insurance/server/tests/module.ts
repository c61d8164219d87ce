import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { add, list, modify, remove, riders, run, trial } from './cases.ts';

/** Test cases of versions, and dry runs of claims. */
export const testsModule: FeatureModule = { handlers: [trial, riders, list, add, modify, remove, run] };
