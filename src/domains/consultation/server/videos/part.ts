import type { JobDeclaration } from '../../../../kernel/server/jobs/declaration.ts';
import type { Part } from '../part.ts';
import { videoHandlers } from './handlers.ts';
import { watchRoomsJob } from './jobs.ts';

/** Video rooms. */
export const videoPart: Part = { handlers: videoHandlers, jobs: [watchRoomsJob] as readonly JobDeclaration<never>[] };
