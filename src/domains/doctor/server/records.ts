import type { CommandContext } from '../../../kernel/server/context.ts';

/** Who writes a record and when. */
export const stampOf = (ctx: Pick<CommandContext, 'now' | 'staff'>) => ({ updatedAt: ctx.now, updatedBy: ctx.staff.userId });
export const birthOf = (ctx: Pick<CommandContext, 'now' | 'staff'>) => ({
  createdAt: ctx.now,
  createdBy: ctx.staff.userId,
  ...stampOf(ctx),
});
