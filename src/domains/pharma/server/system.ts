import type { Instant } from '../../../kernel/contract/time.ts';
import { dayOf } from '../../../kernel/contract/time.ts';
import type { Writing } from '../../../kernel/server/context.ts';

/** A transaction of a job or consumer as the audit trail wants it: the system acts, nobody is asked for rights. */
export const asSystem = (writing: Writing, facts: { now: Instant; traceId: string }) => ({
  ...writing, now: facts.now, today: dayOf(facts.now), traceId: facts.traceId, staffOrNull: null, demand: () => {},
});

export type SystemContext = ReturnType<typeof asSystem>;
