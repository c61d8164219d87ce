import { refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import type { MarkType } from '../../contract/markStates.ts';
import { own } from '../database.ts';
import { isOfPerson, type PersonHashes } from './person.ts';

export interface MarkedDays {
  markType: MarkType;
  startDate: Day;
  endDate: Day;
}

/**
 * Marks of the person of the same kind that hold, or wait to hold, on some of the days.
 * @param except the mark itself, and what it follows
 */
export const overlapping = (db: Db | Tx, person: PersonHashes, { markType, startDate, endDate }: MarkedDays, except: readonly string[]) =>
  own(db)
    .selectFrom('enrolmentSpecialUser as u')
    .selectAll('u')
    .where('u.state', 'in', ['PENDING', 'EFFECTIVE'])
    .where('u.markType', '=', markType)
    .where('u.startDate', '<=', endDate)
    .where('u.endDate', '>=', startDate)
    .where('u.id', 'not in', ['0', ...except])
    .where(isOfPerson(person))
    .orderBy('u.startDate')
    .orderBy('u.id')
    .limit(20)
    .execute();

/** Marks of one person are written one after another. */
export const lockPersons = (tx: Tx, persons: readonly PersonHashes[]): Promise<void> =>
  lockKeys(
    tx,
    'enrolment.markedPerson',
    persons.flatMap((person) => [person.idNoHash, person.mobileHash]),
  );

/** @throws Refusal SCM14070 */
export async function requireFreeDays(tx: Tx, person: PersonHashes, days: MarkedDays, except: readonly string[]): Promise<void> {
  const [other] = await overlapping(tx, person, days, except);
  if (other) throw refuse(enrolmentErrors.MARK_OVERLAPS);
}
