import type { JobDeclaration } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { expiryConsumer, expiryJob } from './sweep.ts';

/** What happens to value whose time is over. */
export const expiryModule: FeatureModule = {
  consumers: (kernel) => [expiryConsumer(kernel)],
  jobs: (kernel) => [expiryJob(kernel) as JobDeclaration<never>],
};
