import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Scope, Tx } from '#kernel/server/context.ts';
import { scopeOfRow } from '../session/scope.ts';

export interface Checker {
  userId: string;
  displayName: string;
  opNo: string;
  roleName: string;
  userRoleId: string;
  scope: Scope;
}

/** Enabled users who hold a permission today, with the assignment that gives it; one row a user. */
export async function checkersFor(
  db: Db | Tx,
  wish: { permission: string; today: Day; keyword?: string; limit?: number },
): Promise<Checker[]> {
  const like = containsPattern(wish.keyword ?? '');
  const { rows } = await sql<Omit<Checker, 'scope'> & { scope: unknown }>`
    select distinct on (u.id) u.id as user_id, u.display_name, u.op_no, r.name as role_name, ur.id as user_role_id, ur.scope
    from identity_role_permission rp
    join identity_role r on r.id = rp.role_id and r.state = 'ENABLED' and r.deleted_at is null
    join identity_user_role ur on ur.role_id = r.id and ur.state = 'ENABLED'
      and ur.valid_from <= ${wish.today}::date and (ur.valid_to is null or ur.valid_to >= ${wish.today}::date)
    join identity_staff_user u on u.id = ur.user_id and u.state = 'ENABLED'
      and (u.valid_to is null or u.valid_to >= ${wish.today}::date)
    where rp.code = ${wish.permission}
      and (u.display_name like ${like} or u.op_no ilike ${like} or u.user_name ilike ${like})
    order by u.id, ur.id
    limit ${wish.limit ?? 50}`.execute(db);
  return rows.map((row) => ({ ...row, scope: scopeOfRow(row.scope) }));
}
