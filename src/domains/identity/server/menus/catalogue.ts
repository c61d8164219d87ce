import { sql, type Updateable } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { LeftMenu } from '#kernel/contract/route.ts';
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

/** Pages of the catalogue that low-code entered. */
export async function lowcodeRouteKeys(db: Db): Promise<string[]> {
  const rows = await own(db).selectFrom('identityRouteCatalogue').select('routeKey').where('source', '=', 'LOWCODE').execute();
  return rows.map(({ routeKey }) => routeKey);
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

/**
 * Puts a page of the catalogue under a builtin directory of the menu (`1:机构与药品`), for every role that holds the page's right.
 * Menus are staff's to arrange; this is for pages that a demonstration writes.
 */
export async function enterMenu(tx: Tx, page: { routeKey: string; under: string }, now: Instant): Promise<void> {
  await sql`
    with entry as (
      insert into identity_menu (parent_id, level, title_name, route_key, path, kind, sort, left_menu, created_at, updated_at)
      select p.id, p.level + 1, c.title, c.route_key, c.path, 'PAGE',
        (select coalesce(max(m.sort), 0) + 10 from identity_menu m where m.parent_id = p.id), c.left_menu, ${now}, ${now}
      from identity_menu p, identity_route_catalogue c where p.seed_key = ${page.under} and c.route_key = ${page.routeKey}
      on conflict do nothing returning id),
    entries as (
      insert into identity_role_menu (role_id, menu_id)
      select rp.role_id, entry.id from entry
      join identity_route_catalogue c on c.route_key = ${page.routeKey}
      join identity_role_permission rp on rp.code = c.view_permission
      join identity_role r on r.id = rp.role_id and r.deleted_at is null
      on conflict do nothing returning role_id)
    update identity_role set version = version + 1 where id in (select role_id from entries)`.execute(tx);
}
