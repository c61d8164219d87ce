import { dayOf, type Instant } from '../../contract/time.ts';
import type { Context, Writing } from '../context.ts';

/** A transaction in which somebody acts: a command as it is, a job or a consumer through `asSystem`. */
export type Acting = Writing & Pick<Context, 'now' | 'today' | 'traceId' | 'staffOrNull' | 'demand'>;

/** A transaction of a job or consumer as the audit trail wants it: the system acts, nobody is asked for rights. */
export const asSystem = (writing: Writing, facts: { now: Instant; traceId: string }): Acting => ({
  ...writing, now: facts.now, today: dayOf(facts.now), traceId: facts.traceId, staffOrNull: null, demand: () => {},
});
