import { dayOf, type Instant } from '../../contract/time.ts';
import type { Context, Writing } from '../context.ts';

/** A transaction in which somebody acts: a command as it is, a job or a consumer through `asSystem`. */
export type Acting = Writing &
  Pick<Context, 'now' | 'today' | 'traceId' | 'staffOrNull' | 'requirePermission'> & {
    /** Whoever acts without being staff, as the trail shows him; absent: the system. */
    actorName?: string;
  };

/**
 * A transaction of a job or consumer as the audit trail wants it: the system acts, nobody is asked for rights. A request's
 * context is not copied whole, because asking it for a missing session throws.
 */
export const asSystem = (
  { tx, publish, publishMany, enqueue, target, changed, afterCommit }: Writing,
  facts: { now: Instant; traceId: string },
): Acting => ({
  tx,
  publish,
  publishMany,
  enqueue,
  target,
  changed,
  afterCommit,
  now: facts.now,
  today: dayOf(facts.now),
  traceId: facts.traceId,
  staffOrNull: null,
  requirePermission: () => {},
});
