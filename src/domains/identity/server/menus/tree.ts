import { sql } from 'kysely';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { queryMenuInfoList } from '../../contract/calls/menus.ts';

export type MenuTree = AnswerOf<typeof queryMenuInfoList>;
export type MenuRow = MenuTree['menus'][number];

const DEPTH = 3;
/** Changes of the tree wait for each other: each checks the whole tree. */
export const lockTree = (tx: Tx) => lockKeys(tx, 'identity.menuTree');

/** All menus, parents before children, with how many roles use each; and the routes that a menu may point at. */
export async function loadTree(db: Db | Tx): Promise<MenuTree> {
  const menus = await sql<MenuRow>`
    select m.id, m.parent_id, m.level, m.title_name, m.route_key, coalesce(c.path, m.path) as path, m.kind, m.icon, m.sort, m.left_menu,
        m.nav_show, m.we_chat_page, m.visible, m.builtin, m.version,
        (
          select count(*)::int
            from identity_role_menu rm
            join identity_role r on r.id = rm.role_id and r.deleted_at is null
            where rm.menu_id = m.id
        ) as role_count
      from identity_menu m
      left join identity_route_catalogue c on c.route_key = m.route_key
      order by m.level, m.sort, m.id`.execute(db);
  const routes = await sql<MenuTree['routeCatalogue'][number]>`
    select c.route_key, c.path, c.title, c.trail, c.left_menu as left, c.kind, c.source, c.view_permission, m.title_name as used_by
    from identity_route_catalogue c left join identity_menu m on m.route_key = c.route_key
    order by c.sort, c.route_key`.execute(db);
  return { menus: menus.rows, routeCatalogue: routes.rows };
}

/** Ids of a menu and of everything below it. */
export function below(menus: readonly Pick<MenuRow, 'id' | 'parentId'>[], id: string): ReadonlySet<string> {
  const found = new Set([id]);
  for (let grown = true; grown;) {
    const size = found.size;
    for (const menu of menus) if (menu.parentId !== null && found.has(menu.parentId)) found.add(menu.id);
    grown = found.size > size;
  }
  return found;
}

/**
 * Level of each menu after a change of parents; null where the tree would be deeper than three levels.
 * The parents must be free of circles (`below` tells).
 */
export function levelsOf(menus: readonly Pick<MenuRow, 'id' | 'parentId'>[]): ReadonlyMap<string, number> | null {
  const parents = new Map(menus.map(({ id, parentId }) => [id, parentId]));
  const levels = new Map<string, number>();
  for (const { id } of menus) {
    let level = 1;
    for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) level += 1;
    if (level > DEPTH) return null;
    levels.set(id, level);
  }
  return levels;
}
