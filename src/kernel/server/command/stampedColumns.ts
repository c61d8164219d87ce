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

/** The same of a new row. */
export const createdColumns = (actor: Actor) => ({ createdAt: actor.now, createdBy: userIdOf(actor), ...updatedColumns(actor) });
