import { sql } from 'kysely';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import type { LicenceState } from '../../contract/dictionaries.ts';

/** Days before the end from which somebody should renew. */
const NOTICE_DAYS = 30;

/** How licences stand whose first one ends on a day. */
export function licenceOn(expireOn: Day, today: Day): LicenceState {
  if (expireOn <= today) return 'EXPIRED';
  return expireOn < plusDays(today, NOTICE_DAYS) ? 'EXPIRING' : 'VALID';
}

/** The same of the rows of a query over `order_supplier s`. */
export const licenceColumn = (today: Day) => sql<LicenceState>`
  case
    when s.expire_on <= ${today}::date then 'EXPIRED'
    when s.expire_on < ${plusDays(today, NOTICE_DAYS)}::date then 'EXPIRING'
    else 'VALID'
  end`;
