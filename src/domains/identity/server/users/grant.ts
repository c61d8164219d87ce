import { sql } from 'kysely';
import { refuse, type Refusal } from '#kernel/contract/errors.ts';
import { dayOf, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Scope, Staff, Tx } from '#kernel/server/context.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { identityErrors } from '../../contract/errors.ts';
import { json, own } from '../database.ts';
import { judgePerson, lockDuties } from '../roles/duties.ts';

const administrative = (code: string) => code.startsWith('identity.') || code.startsWith('lowcode.');

/** Rights of a user in all assignments that are valid today. */
export async function allRightsOf(tx: Tx, userId: string, today: Day): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ code: string }>`
    select distinct rp.code from identity_user_role ur
    join identity_role r on r.id = ur.role_id and r.state = 'ENABLED' and r.deleted_at is null
    join identity_role_permission rp on rp.role_id = r.id
    where ur.user_id = ${userId}
      and ur.state = 'ENABLED'
      and ur.valid_from <= ${today}::date
      and (ur.valid_to is null or ur.valid_to >= ${today}::date)`.execute(tx);
  return new Set(rows.map(({ code }) => code));
}

/** R7: administration cannot widen itself. @throws SCM01025 naming the rights that the grantor lacks. */
export async function requireMayGrant(tx: Tx, grantor: Pick<Staff, 'userId'>, codes: readonly string[], today: Day): Promise<void> {
  const wanted = codes.filter(administrative);
  if (wanted.length === 0) return;
  const mine = await allRightsOf(tx, grantor.userId, today);
  const missing = wanted.filter((code) => !mine.has(code));
  if (missing.length === 0) return;
  const labels = await own(tx)
    .selectFrom('identityPermissionCatalogue')
    .select('label')
    .where('code', 'in', missing)
    .orderBy('code')
    .execute();
  const names =
    labels
      .slice(0, 5)
      .map(({ label }) => label)
      .join('、') + (labels.length > 5 ? `等${labels.length}项` : '');
  throw refuse(identityErrors.CANNOT_GRANT, { names });
}

export const rightsOfRole = async (tx: Tx, roleId: string): Promise<string[]> =>
  (await own(tx).selectFrom('identityRolePermission').select('code').where('roleId', '=', roleId).execute()).map(({ code }) => code);

/** Turns the database's own refusals of an assignment into ours; null for anything else. */
export function assignmentRefusal(error: unknown): Refusal | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code === 'KQ024') {
    const [a = '', b = ''] = String('detail' in error ? error.detail : '').split('\n');
    return refuse(identityErrors.ROLE_CONFLICT, { a, b });
  }
  return null;
}

export interface NewAssignment {
  userId: string;
  roleId: string;
  scope: Scope;
  validFrom: Day;
  validTo: Day | null;
}

/**
 * Writes an assignment. The database refuses conflicting roles and a second period of the same role (I2), under parallel writers too;
 * what all roles join together is judged one writer after the other.
 * @returns also sentences about duties that one person should not hold both
 * @throws SCM01024, SCM01038
 */
export async function insertAssignment(
  tx: Tx,
  assignment: NewAssignment,
  by: string | null,
  now: Instant,
): Promise<{ id: string; warnings: string[] }> {
  await lockDuties(tx);
  try {
    const { id } = await own(tx)
      .insertInto('identityUserRole')
      .values({
        userId: assignment.userId,
        roleId: assignment.roleId,
        scope: json(assignment.scope),
        validFrom: assignment.validFrom,
        validTo: assignment.validTo,
        state: 'ENABLED',
        ...createdColumns({ now, userId: by }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, warnings: await judgePerson(tx, assignment.userId, dayOf(now)) };
  } catch (error) {
    throw assignmentRefusal(error) ?? error;
  }
}
