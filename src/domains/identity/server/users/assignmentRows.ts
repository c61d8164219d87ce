import { sql } from 'kysely';
import type { Scope } from '#kernel/server/context.ts';
import { scopeOfRow } from '../session/scope.ts';

/** An assignment as it is aggregated into its user's row. */
export interface AssignmentRow {
  id: string;
  roleId: string;
  roleCode: string;
  roleName: string;
  scope: Scope & { region: string[] | null; insurer: string[] | null; channel: string[] | null };
  validFrom: string;
  validTo: string | null;
  state: string;
  version: number;
}

/** All assignments of `u`, as one jsonb column: a list of users stays one statement. */
export const assignmentsOfUser = sql<unknown>`(
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'id', ur.id::text, 'roleId', ur.role_id::text, 'roleCode', r.role_code, 'roleName', r.name, 'scope', ur.scope, 'validFrom',
        ur.valid_from, 'validTo', ur.valid_to, 'state', ur.state, 'version', ur.version
      ) order by ur.state desc,
      ur.id
    ),
    '[]'
  )
    from identity_user_role ur
    join identity_role r on r.id = ur.role_id
    where ur.user_id = u.id
)`;

/** Turns the aggregated column into rows. */
export const assignmentRows = (value: unknown): AssignmentRow[] =>
  Array.isArray(value) ? (value as AssignmentRow[]).map((row) => ({ ...row, scope: scopeOfRow(row.scope) })) : [];
