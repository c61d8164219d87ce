import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { identityErrors } from '../../contract/errors.ts';

/**
 * I1: refuses what would take the last enabled super administrator away. Called after the change, in its transaction;
 * the role's row is locked, so that two administrators cannot disable each other at once.
 * @throws SCM01023.
 */
export async function requireSuperAdminLeft(tx: Tx, today: Day): Promise<void> {
  await sql`select id from identity_role where role_code = 'SUPER_ADMIN' for update`.execute(tx);
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from identity_user_role ur
    join identity_role r on r.id = ur.role_id and r.role_code = 'SUPER_ADMIN'
    join identity_staff_user u on u.id = ur.user_id
    where ur.state = 'ENABLED' and ur.valid_from <= ${today}::date and (ur.valid_to is null or ur.valid_to >= ${today}::date)
      and u.state = 'ENABLED'
      and (u.valid_from is null or u.valid_from <= ${today}::date)
      and (u.valid_to is null or u.valid_to >= ${today}::date)`.execute(tx);
  if (rows[0]?.left === 0) throw refuse(identityErrors.LAST_SUPER_ADMIN);
}

/** Whether a user has the role in a valid or coming assignment: only then the guard is worth its lock. */
export async function isSuperAdmin(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from identity_user_role ur join identity_role r on r.id = ur.role_id
      where ur.user_id = ${userId} and r.role_code = 'SUPER_ADMIN' and ur.state = 'ENABLED') as found`.execute(tx);
  return rows[0]?.found ?? false;
}
