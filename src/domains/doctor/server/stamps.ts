import type { Acting } from '../../../kernel/server/command/acting.ts';

/** Who writes a record and when. */
export const stampOf = (ctx: Pick<Acting, 'now' | 'staffOrNull'>) => ({ updatedAt: ctx.now, updatedBy: ctx.staffOrNull?.userId ?? null });
export const birthOf = (ctx: Pick<Acting, 'now' | 'staffOrNull'>) => ({
  createdAt: ctx.now,
  createdBy: ctx.staffOrNull?.userId ?? null,
  ...stampOf(ctx),
});
