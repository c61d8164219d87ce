import { dayOf, type Instant } from '../../../kernel/contract/time.ts';
import type { Context, Writing } from '../../../kernel/server/context.ts';

/** A transaction in which somebody acts: a command, or a job or consumer through `asSystem`. */
export type Acting = Writing & Pick<Context, 'now' | 'today' | 'traceId' | 'staffOrNull' | 'demand'>;

/** A transaction of a job or consumer as the audit trail wants it: the system acts, nobody is asked for rights. */
export const asSystem = (writing: Writing, facts: { now: Instant; traceId: string }): Acting => ({
  ...writing, now: facts.now, today: dayOf(facts.now), traceId: facts.traceId, staffOrNull: null, demand: () => {},
});

/** Who writes a record and when. */
export const stampOf = (ctx: Pick<Acting, 'now' | 'staffOrNull'>) => ({ updatedAt: ctx.now, updatedBy: ctx.staffOrNull?.userId ?? null });
export const birthOf = (ctx: Pick<Acting, 'now' | 'staffOrNull'>) => ({ createdAt: ctx.now, createdBy: ctx.staffOrNull?.userId ?? null, ...stampOf(ctx) });
