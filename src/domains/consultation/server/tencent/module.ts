import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { compareGroupJob, compareJob, enqueueComparison } from './compare.ts';
import { vendorOf } from './mode.ts';
import { vendorPostJob, vendorRecallJob } from './post.ts';
import { onVendorReturn } from './rest.ts';
import { vendorKickJob, vendorSyncJob } from './sync.ts';
import { tencentHandlers } from './handlers.ts';

/** The vendor's chat behind our record of it. */
export const tencentModule: FeatureModule = {
  handlers: tencentHandlers,
  jobs: [vendorPostJob, vendorRecallJob, vendorSyncJob, vendorKickJob, compareGroupJob, compareJob] as readonly JobDeclaration<never>[],
};

/** What was lost while this process or the vendor was away is looked for at once, not only at night. */
export async function startVendor(kernel: Kernel): Promise<void> {
  if (!vendorOf(kernel)) return;
  const compare = () => kernel.transactions.run('im', (writing) => enqueueComparison(kernel, writing));
  onVendorReturn(
    kernel,
    () => void compare().catch((error: unknown) => kernel.log.error({ error }, 'the comparison with the chat vendor could not begin')),
  );
  await compare();
}
