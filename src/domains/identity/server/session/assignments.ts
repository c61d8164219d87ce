import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Scope } from '#kernel/server/context.ts';
import { scopeOfRow } from './scope.ts';

export interface ActiveAssignment {
  userRoleId: string;
  roleId: string;
  roleCode: string;
  roleName: string;
  roleVersion: number;
  defaultRouteKey: string | null;
  scope: Scope;
}

/** A user's assignments that are valid today; the one that a new login starts with comes first. */
export async function activeAssignments(db: Db, userId: string, today: Day): Promise<ActiveAssignment[]> {
  const { rows } = await sql<Omit<ActiveAssignment, 'scope'> & { scope: unknown }>`
    select ur.id as user_role_id, r.id as role_id, r.role_code, r.name as role_name, r.version as role_version, r.default_route_key,
      ur.scope
    from identity_user_role ur
    join identity_role r on r.id = ur.role_id
    join identity_staff_user u on u.id = ur.user_id
    where ur.user_id = ${userId} and ur.state = 'ENABLED' and r.state = 'ENABLED' and r.deleted_at is null
      and ur.valid_from <= ${today}::date and (ur.valid_to is null or ur.valid_to >= ${today}::date)
    order by (ur.id = u.last_user_role_id) desc nulls last, (ur.id = u.default_user_role_id) desc nulls last, ur.id`.execute(db);
  return rows.map((row) => ({ ...row, scope: scopeOfRow(row.scope) }));
}
