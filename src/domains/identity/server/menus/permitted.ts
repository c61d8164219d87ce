import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import type { MenuNode } from '../../contract/calls/login.ts';

interface MenuRow {
  id: string;
  parentId: string | null;
  titleName: string;
  routeKey: string | null;
  path: string | null;
  kind: string;
  icon: string | null;
  leftMenu: MenuNode['leftMenu'];
  navShow: boolean;
  weChatPage: boolean;
  viewPermission: string | null;
  granted: boolean;
}

/** The tree that a role sees: its visible pages whose view permission it holds, and the directories above them. */
export async function permittedMenu(db: Db, roleId: string, permissions: ReadonlySet<string>): Promise<MenuNode[]> {
  const { rows } = await sql<MenuRow>`
    select m.id, m.parent_id, m.title_name, m.route_key, coalesce(c.path, m.path) as path, m.kind, m.icon, m.left_menu, m.nav_show,
      m.we_chat_page, c.view_permission, rm.menu_id is not null and (m.kind = 'DIR' or c.route_key is not null) as granted
    from identity_menu m
    left join identity_role_menu rm on rm.menu_id = m.id and rm.role_id = ${roleId}
    left join identity_route_catalogue c on c.route_key = m.route_key
    where m.visible
    order by m.level, m.sort, m.id`.execute(db);
  const children = Map.groupBy(rows, ({ parentId }) => parentId ?? '');
  const shown = (row: MenuRow) =>
    row.kind === 'PAGE' &&
    row.granted &&
    (row.viewPermission === null || row.viewPermission === 'session' || permissions.has(row.viewPermission));
  const branch = (parentId: string): MenuNode[] =>
    (children.get(parentId) ?? []).flatMap((row) => {
      const below = branch(row.id);
      if (below.length === 0 && !shown(row)) return [];
      return [
        {
          titleName: row.titleName,
          routeKey: row.routeKey ?? '',
          path: row.path ?? '',
          icon: row.icon,
          leftMenu: row.leftMenu,
          navShow: row.navShow,
          weChatPage: row.weChatPage,
          children: below,
        },
      ];
    });
  return branch('');
}

/** First page of a tree, depth first. */
export function firstPage(menu: readonly MenuNode[]): MenuNode | null {
  for (const node of menu) {
    if (node.path !== '') return node;
    const below = firstPage(node.children);
    if (below) return below;
  }
  return null;
}

/** The page of a route key in a tree. */
export function pageOf(menu: readonly MenuNode[], routeKey: string): MenuNode | null {
  for (const node of menu) {
    if (node.routeKey === routeKey) return node;
    const below = pageOf(node.children, routeKey);
    if (below) return below;
  }
  return null;
}
