import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { read } from './read.ts';
import { add, modify, remove } from './rules.ts';

/** Rules of versions by which claims are cut, held up or asked for more. */
export const claimRulesModule: FeatureModule = { handlers: [read, add, modify, remove] };
