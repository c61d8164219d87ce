import { sql } from 'kysely';
import { minutes, plusMs, type Instant } from '../../contract/time.ts';
import type { Db, Tx } from '../context.ts';

export interface Lease {
  userId: string;
  displayName: string;
  until: Instant;
}

interface Holder {
  userId: string;
  displayName: string;
}

/**
 * Takes or prolongs the exclusive right to work on one case.
 * @param takeover a supervisor's act: takes it from whoever holds it.
 * @returns the lease that holds now; another holder's when it could not be taken.
 */
export async function takeLease(
  tx: Tx,
  resource: { type: string; id: string },
  holder: Holder,
  options: { minutes: number; now: Instant; takeover?: boolean },
): Promise<Lease> {
  const until = plusMs(options.now, minutes(options.minutes));
  await sql`
    insert into kernel_lease (resource_type, resource_id, user_id, display_name, taken_at, until)
    values (${resource.type}, ${resource.id}, ${holder.userId}, ${holder.displayName}, ${options.now}, ${until})
    on conflict (resource_type, resource_id) do update
      set user_id = excluded.user_id, display_name = excluded.display_name, taken_at = excluded.taken_at, until = excluded.until
      where kernel_lease.user_id = excluded.user_id or kernel_lease.until <= ${options.now}::timestamptz
         or ${options.takeover ?? false}::boolean`.execute(tx);
  return (await leaseOf(tx, resource))!;
}

/**
 * Tells whether a user holds a case at this moment; checked when writing, never by a job.
 * The row is locked, so a takeover waits until the write commits.
 */
export async function holdsLease(tx: Tx, resource: { type: string; id: string }, userId: string, now: Instant): Promise<boolean> {
  const { rows } = await sql`
    select 1 from kernel_lease where resource_type = ${resource.type} and resource_id = ${resource.id}
      and user_id = ${userId} and until > ${now}::timestamptz for update`.execute(tx);
  return rows.length > 0;
}

/** Gives a case back. @param userId absent: whoever has it, once it is decided */
export async function releaseLease(tx: Tx, resource: { type: string; id: string }, userId?: string): Promise<void> {
  await sql`
    delete from kernel_lease where resource_type = ${resource.type} and resource_id = ${resource.id}
      and (${userId ?? null}::bigint is null or user_id = ${userId ?? null}::bigint)`.execute(tx);
}

/** Who has a case. @param now absent: also who had it last, while nobody took it since */
export async function leaseOf(db: Db | Tx, resource: { type: string; id: string }, now?: Instant): Promise<Lease | null> {
  const { rows } = await sql<Lease>`
    select user_id, display_name, until from kernel_lease
    where resource_type = ${resource.type} and resource_id = ${resource.id}
      and (${now ?? null}::timestamptz is null or until > ${now ?? null}::timestamptz)`.execute(db);
  return rows[0] ?? null;
}

/** The same as the page of the case shows it to somebody. */
export const shownLease = (lease: Lease | null, { userId }: Pick<Lease, 'userId'>) =>
  lease && { displayName: lease.displayName, mine: lease.userId === userId, until: lease.until };
