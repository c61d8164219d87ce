import type { Acting } from '../command/acting.ts';

/** Columns that say who changed a record, and when; the system where nobody is logged in. */
export const modificationOf = (ctx: Pick<Acting, 'now' | 'staffOrNull'>) => ({
  updatedAt: ctx.now,
  updatedBy: ctx.staffOrNull?.userId ?? null,
});

/** The same of a record that is made. */
export const creationOf = (ctx: Pick<Acting, 'now' | 'staffOrNull'>) => ({
  createdAt: ctx.now,
  createdBy: ctx.staffOrNull?.userId ?? null,
  ...modificationOf(ctx),
});
