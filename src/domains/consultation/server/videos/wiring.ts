import type { JobDeclaration } from '../../../../kernel/server/jobs/declaration.ts';
import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { endCardJob } from './endCard.ts';
import { videoHandlers } from './handlers.ts';
import { watchRoomsJob } from './jobs.ts';

/** Video rooms. */
export const videoPart: ModulePart = { handlers: videoHandlers, jobs: [watchRoomsJob, endCardJob] as readonly JobDeclaration<never>[] };
