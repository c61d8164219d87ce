import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { readTogether } from '#kernel/server/database/readTogether.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { queryRoleInfoList, type queryRoleInfoDetail } from '../../contract/calls/roles.ts';
import { own } from '../database.ts';
import { dutiesOfRole } from './duties.ts';

export type RoleDetail = OutputOf<typeof queryRoleInfoDetail>;

const roles = (db: Db | Tx) =>
  own(db).selectFrom('identityRole as r').leftJoin('identityStaffUser as by', 'by.id', 'r.updatedBy').where('r.deletedAt', 'is', null);

const counted = {
  menuCount: sql<number>`(
    select count(*)::int from identity_role_menu rm join identity_menu m on m.id = rm.menu_id and m.kind = 'PAGE' where rm.role_id = r.id
  )`,
  permissionCount: sql<number>`(select count(*)::int from identity_role_permission rp where rp.role_id = r.id)`,
  highCount: sql<number>`(
    select count(*)::int
      from identity_role_permission rp
      join identity_permission_catalogue c on c.code = rp.code and c.risk = 'HIGH'
      where rp.role_id = r.id
  )`,
  userCount: sql<number>`(
    select count(distinct ur.user_id)::int from identity_user_role ur where ur.role_id = r.id and ur.state = 'ENABLED'
  )`,
};

const withCounts = (query: ReturnType<typeof roles>) =>
  query
    .select(['r.id', 'r.roleCode', 'r.name', 'r.description', 'r.builtin', 'r.state', 'r.defaultRouteKey', 'r.version', 'r.updatedAt'])
    .select('by.displayName as updatedByName')
    .select([
      counted.menuCount.as('menuCount'),
      counted.permissionCount.as('permissionCount'),
      counted.highCount.as('highCount'),
      counted.userCount.as('userCount'),
      dutiesOfRole.as('duties'),
    ]);

export const roleList = listOf(queryRoleInfoList)
  .from(({ db }) => roles(db))
  .with({
    where: {
      name: (eb, name) => eb('r.name', 'like', containsPattern(name)),
      state: 'r.state',
      dutyConflict: (_eb, joined) => sql<SqlBool>`(jsonb_array_length(${dutiesOfRole}) > 0) = ${joined}`,
      permission: (eb, permission) =>
        eb.exists(
          eb.selectFrom('identityRolePermission as p').select('p.code').whereRef('p.roleId', '=', 'r.id').where('p.code', '=', permission),
        ),
    },
    id: 'r.id',
    sorts: {
      roleCode: 'r.roleCode',
      menuCount: sql.ref('menuCount'),
      permissionCount: sql.ref('permissionCount'),
      highCount: sql.ref('highCount'),
      userCount: sql.ref('userCount'),
      updatedAt: 'r.updatedAt',
    },
    bounded: 'roles are some dozens',
    order: [['r.id', 'asc']],
    select: withCounts,
    present: (rows) => rows,
  });

/** A role with all that hangs on it. @throws SCM90040. */
export async function roleDetail(db: Db | Tx, id: string): Promise<RoleDetail> {
  const role = withCounts(roles(db)).where('r.id', '=', id);
  const menusOf = own(db).selectFrom('identityRoleMenu').select('menuId').where('roleId', '=', id).orderBy('menuId');
  const permissionsOf = own(db)
    .selectFrom('identityRolePermission as p')
    .leftJoin('identityPermissionCatalogue as c', 'c.code', 'p.code')
    .select(['p.code', 'c.label', 'c.risk'])
    .where('p.roleId', '=', id)
    .orderBy('p.code');
  const usersOf = own(db)
    .selectFrom('identityUserRole as ur')
    .innerJoin('identityStaffUser as u', 'u.id', 'ur.userId')
    .select(['u.id as userId', 'u.displayName', 'u.opNo', 'ur.id as userRoleId'])
    .where('ur.roleId', '=', id)
    .where('ur.state', '=', 'ENABLED')
    .orderBy('u.id')
    .limit(500);
  const conflictsOf = own(db)
    .selectFrom('identityRoleConflict as c')
    .innerJoin('identityRole as r', (join) =>
      join.on((eb) =>
        eb.or([
          eb.and([eb('c.firstRoleId', '=', id), eb('r.id', '=', eb.ref('c.secondRoleId'))]),
          eb.and([eb('c.secondRoleId', '=', id), eb('r.id', '=', eb.ref('c.firstRoleId'))]),
        ]),
      ),
    )
    .select(['r.id as roleId', 'r.name', 'c.reason'])
    .where('r.deletedAt', 'is', null)
    .orderBy('r.id');
  const [[facts], menus, permissions, users, conflicts] = await readTogether(db, [role, menusOf, permissionsOf, usersOf, conflictsOf]);
  if (!facts) throw refuse(platformErrors.NOT_FOUND);
  return {
    ...facts,
    menuIds: menus.map(({ menuId }) => menuId),
    permissions: permissions.map(({ code, label, risk }) => ({
      code,
      label: label ?? code,
      risk: risk === 'HIGH' ? ('HIGH' as const) : ('NORMAL' as const),
    })),
    users,
    conflicts,
  };
}
