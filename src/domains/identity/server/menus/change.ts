import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import { identityErrors } from '../../contract/errors.ts';
import { json } from '../database.ts';
import { below, levelsOf, type MenuRow, type MenuTree } from './tree.ts';

/** @throws SCM90040 when there is no such menu. */
export function menuOf(tree: MenuTree, id: string): MenuRow {
  const menu = tree.menus.find((one) => one.id === id);
  if (!menu) throw refuse(platformErrors.NOT_FOUND);
  return menu;
}

/** A page needs a route of the catalogue that no other menu uses; a directory has none. @returns its path. */
export function checkRoute(tree: MenuTree, kind: MenuRow['kind'], routeKey: string | null, id: string | null): string | null {
  if (kind === 'DIR') {
    if (routeKey !== null) throw refuseField('routeKey', '目录不需要路由');
    return null;
  }
  const route = tree.routeCatalogue.find((one) => one.routeKey === routeKey);
  if (!route) throw refuse(identityErrors.ROUTE_UNKNOWN);
  const used = tree.menus.find((menu) => menu.routeKey === routeKey && menu.id !== id);
  if (used) throw refuse(identityErrors.ROUTE_USED, { title: used.titleName });
  return route.path;
}

/** Where a menu may hang: below a directory, not below itself, three levels at most. */
export function checkPlaces(menus: readonly MenuRow[], moved: ReadonlyMap<string, string | null>): ReadonlyMap<string, number> {
  const placed = menus.map((menu) => ({ ...menu, parentId: moved.has(menu.id) ? (moved.get(menu.id) ?? null) : menu.parentId }));
  const byId = new Map(menus.map((menu) => [menu.id, menu]));
  for (const [id, parentId] of moved) {
    if (parentId === null) continue;
    const parent = byId.get(parentId);
    if (!parent) throw refuse(platformErrors.NOT_FOUND);
    if (below(menus, id).has(parentId)) throw refuse(identityErrors.MENU_CYCLE);
    if (parent.kind !== 'DIR') throw refuseField('parentId', `“${parent.titleName}”是页面，不能包含下级菜单`);
  }
  // Moves that are harmless one by one may close a circle together.
  for (const [id, parentId] of moved) if (parentId !== null && below(placed, id).has(parentId)) throw refuse(identityErrors.MENU_CYCLE);
  const levels = levelsOf(placed);
  if (levels === null) throw refuse(identityErrors.MENU_TOO_DEEP);
  return levels;
}

/** Writes parents, levels and order of the menus that change, and touches the roles whose navigation changes with them. */
export async function writePlaces(
  tx: Tx,
  places: readonly { id: string; parentId: string | null; level: number; sort: number }[],
  stamp: { now: string; userId: string },
): Promise<void> {
  await sql`
    update identity_menu m set parent_id = p."parentId", level = p.level, sort = p.sort, version = m.version + 1,
      updated_at = ${stamp.now}, updated_by = ${stamp.userId}
    from jsonb_to_recordset(${json(places)}::jsonb) as p(id bigint, "parentId" bigint, level int, sort int)
    where m.id = p.id and (m.parent_id, m.level, m.sort) is distinct from (p."parentId", p.level, p.sort)`.execute(tx);
}
