import type { JobDeclaration } from '../../../../kernel/server/kernel.ts';
import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { expiryConsumer, expiryJob } from './sweep.ts';

/** What happens to value whose time is over. */
export const expiryPart: ModulePart = {
  consumers: (kernel) => [expiryConsumer(kernel)],
  jobs: (kernel) => [expiryJob(kernel) as JobDeclaration<never>],
};
