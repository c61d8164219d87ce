import type { Context } from '../context.ts';

type Actor = Pick<Context, 'now' | 'staffOrNull'>;

/** Columns that say who changed a row last, and when; nobody where the system did. */
export const updatedColumns = ({ now, staffOrNull }: Actor) => ({ updatedAt: now, updatedBy: staffOrNull?.userId ?? null });

/** The same of a new row. */
export const createdColumns = (actor: Actor) => ({
  createdAt: actor.now,
  createdBy: actor.staffOrNull?.userId ?? null,
  ...updatedColumns(actor),
});
