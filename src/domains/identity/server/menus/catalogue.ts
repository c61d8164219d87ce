import { sql, type Updateable } from 'kysely';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { LeftMenu } from '../../../../kernel/contract/route.ts';
import { json, own } from '../database.ts';
import type { IdentityRouteCatalogue } from '../tables.ts';

export interface LowcodeRoute {
  routeKey: string;
  path: string;
  title: string;
  trail: readonly string[];
  left: LeftMenu;
  viewPermission: string | null;
}

/** Enters a published low-code page into the catalogue; a menu may point at it from now on. */
export async function registerRoute(tx: Tx, route: LowcodeRoute): Promise<void> {
  const values = {
    path: route.path,
    title: route.title,
    trail: json(route.trail),
    leftMenu: route.left,
    kind: 'lowcode',
    source: 'LOWCODE',
    viewPermission: route.viewPermission,
  } satisfies Updateable<IdentityRouteCatalogue>;
  await own(tx)
    .insertInto('identityRouteCatalogue')
    .values({ routeKey: route.routeKey, ...values })
    .onConflict((conflict) => conflict.column('routeKey').doUpdateSet(values))
    .execute();
}

/** Takes a low-code page out of the catalogue. @returns titles of menus that still use it; then nothing was removed. */
export async function removeRoute(tx: Tx, routeKey: string): Promise<string[]> {
  const menus = await own(tx).selectFrom('identityMenu').select('titleName').where('routeKey', '=', routeKey).execute();
  if (menus.length > 0) return menus.map(({ titleName }) => titleName);
  await own(tx).deleteFrom('identityRouteCatalogue').where('routeKey', '=', routeKey).where('source', '=', 'LOWCODE').execute();
  return [];
}

/** Adds the permission of a low-code page with its default roles. */
export async function registerPermission(
  tx: Tx,
  permission: { code: string; label: string; routeKeys: readonly string[]; defaultRoles: readonly string[] },
): Promise<void> {
  const added = await own(tx)
    .insertInto('identityPermissionCatalogue')
    .values({
      code: permission.code,
      label: permission.label,
      domain: permission.code.split('.')[0] ?? '',
      routeKeys: json(permission.routeKeys),
      risk: 'NORMAL',
      defaultRoles: json(permission.defaultRoles),
      calls: json([]),
      source: 'LOWCODE',
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('code')
    .executeTakeFirst();
  if (!added) return;
  await sql`
    with given as (
      insert into identity_role_permission (role_id, code)
      select id, ${permission.code} from identity_role where role_code = any(${[...permission.defaultRoles]}) and deleted_at is null
      on conflict do nothing returning role_id)
    update identity_role set version = version + 1 where id in (select role_id from given)`.execute(tx);
}
