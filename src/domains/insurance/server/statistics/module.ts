import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { claimConsumers } from './claims.ts';
import { statisticsHandlers } from './handlers.ts';
import { otherConsumers } from './others.ts';

/** What is applied for, claimed, paid and earned, from the events of other domains. */
export const statisticsModule: FeatureModule = { handlers: statisticsHandlers, consumers: [...claimConsumers, ...otherConsumers] };
