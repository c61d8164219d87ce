import type { Instant } from '../../contract/time.ts';
import type { Staff } from '../context.ts';

type Who = Pick<Staff, 'userId'>;
/** Who acts, and when: a command or job, an import, or somebody known by his id; null is the system. */
type Actor = { now: Instant } & ({ staffOrNull: Who | null } | { staff: Who } | { userId: string | null });

function userIdOf(actor: Actor): string | null {
  if ('staffOrNull' in actor) return actor.staffOrNull?.userId ?? null;
  return 'staff' in actor ? actor.staff.userId : actor.userId;
}

/** Columns that say who changed a row last, and when; nobody where the system did. */
export const updatedColumns = (actor: Actor) => ({ updatedAt: actor.now, updatedBy: userIdOf(actor) });

/** Columns that say who made a row, and when, of a table that does not say who changed it. */
export function authorColumns(actor: { now: Instant } & ({ staff: Who } | { userId: string })): { createdAt: Instant; createdBy: string };
export function authorColumns(actor: Actor): { createdAt: Instant; createdBy: string | null };
export function authorColumns(actor: Actor): { createdAt: Instant; createdBy: string | null } {
  return { createdAt: actor.now, createdBy: userIdOf(actor) };
}

/** Columns of a new row that says who changed it too. */
export const createdColumns = (actor: Actor) => ({ ...authorColumns(actor), ...updatedColumns(actor) });
