import { doctorApproved, doctorChanged } from '#events/doctor.ts';
import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { archiveJob } from './archive.ts';
import { visitExport } from './exportVisits.ts';
import { registerVisitFiles } from './files.ts';
import { visitHandlers } from './handlers.ts';
import { visitList } from './list.ts';
import { keepPlace } from './places.ts';

/** Visit records: what a consultation found, confirmed by its doctor and archived. */
export const visitsModule = (kernel: Kernel): FeatureModule => {
  registerVisitFiles();
  const list = visitList(kernel);
  return {
    handlers: () => visitHandlers(kernel, list),
    // A registry of jobs of different payloads: each is called with its own payload only.
    jobs: [archiveJob] as readonly JobDeclaration<never>[],
    consumers: [
      consumer('consultation.visits', doctorApproved, ({ seq, payload }, ctx) => keepPlace(ctx, payload, seq)),
      consumer('consultation.visits', doctorChanged, ({ seq, payload }, ctx) => keepPlace(ctx, payload, seq)),
    ],
    exports: [visitExport(list)],
  };
};
