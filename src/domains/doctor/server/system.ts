import type { Instant } from '../../../kernel/contract/time.ts';
import { dayOf } from '../../../kernel/contract/time.ts';
import type { Context, Writing } from '../../../kernel/server/context.ts';

/** Who writes: a command of somebody, or the system itself. */
export type Acting = Writing & Pick<Context, 'now' | 'today' | 'traceId' | 'staffOrNull' | 'demand'>;

/** A transaction of a job or consumer as the audit trail wants it: the system acts, nobody is asked for rights. */
export const asSystem = (writing: Writing, facts: { now: Instant; traceId: string }): Acting => ({
  ...writing, now: facts.now, today: dayOf(facts.now), traceId: facts.traceId, staffOrNull: null, demand: () => {},
});
