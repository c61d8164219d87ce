import type { Context, Staff, Writing } from '#kernel/server/context.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';

/** What `moveState` asks of whoever moves a state. */
export type Mover = Writing & Pick<Context, 'now' | 'traceId' | 'staffOrNull' | 'requirePermission'>;

/** The system as the mover of a state, in a job's transaction; declared `system` transitions demand nothing. */
export const systemMover = (writing: Writing, ctx: Pick<JobContext, 'now' | 'traceId'>): Mover => ({
  ...writing,
  now: ctx.now,
  traceId: ctx.traceId,
  staffOrNull: null,
  requirePermission: () => {},
});

export const jobWriting = (writing: Writing, staff: Staff, now: string) => ({ ...writing, staff, now });
