import type { AnswerOf, OutputOf } from '#kernel/contract/call.ts';
import type { queryMenuInfoList, queryPermissionList } from '../../contract/calls/menus.ts';

type Tree = AnswerOf<typeof queryMenuInfoList>;
export type MenuRow = Tree['menus'][number];
export type Permission = OutputOf<typeof queryPermissionList>;

/** A menu with its page's permissions and everything below it. */
export interface RoleNode {
  menu: MenuRow;
  /** The page's view permission first. */
  permissions: readonly Permission[];
  viewPermission: string | null;
  children: readonly RoleNode[];
}

/** What a role is made of in the editor. */
export interface Chosen {
  menus: ReadonlySet<string>;
  permissions: ReadonlySet<string>;
}

/** `session` pages need nothing; the others their declared view permission. */
const viewOf = (tree: Tree, menu: MenuRow): string | null => {
  const view = tree.routeCatalogue.find((route) => route.routeKey === menu.routeKey)?.viewPermission ?? null;
  return view === 'session' ? null : view;
};

/** Joins menus, routes and permissions to the tree of the editor; a permission stands under every page that it serves. */
export function roleTree(tree: Tree, permissions: readonly Permission[]): RoleNode[] {
  const live = permissions.filter((permission) => permission.retiredAt === null);
  const below = (parentId: string | null): RoleNode[] =>
    tree.menus
      .filter((menu) => menu.parentId === parentId)
      .sort((a, b) => a.sort - b.sort)
      .map((menu) => {
        const viewPermission = viewOf(tree, menu);
        const own = live.filter(
          (permission) => permission.code === viewPermission || (menu.routeKey !== null && permission.routeKeys.includes(menu.routeKey)),
        );
        return {
          menu,
          viewPermission,
          permissions: own.sort((a, b) => Number(b.code === viewPermission) - Number(a.code === viewPermission)),
          children: below(menu.id),
        };
      });
  return below(null);
}

/** Every node of the tree, parents first. */
export const flatten = (nodes: readonly RoleNode[]): RoleNode[] => nodes.flatMap((node) => [node, ...flatten(node.children)]);

/** Permissions that stand under no page of the menu (pages not built, rights of the whole domain). */
export function loosePermissions(nodes: readonly RoleNode[], permissions: readonly Permission[]): Permission[] {
  const shown = new Set(flatten(nodes).flatMap((node) => node.permissions.map(({ code }) => code)));
  return permissions.filter((permission) => permission.retiredAt === null && !shown.has(permission.code));
}

const parentsOf = (nodes: readonly RoleNode[], id: string, above: readonly string[] = []): readonly string[] | undefined => {
  for (const node of nodes) {
    if (node.menu.id === id) return above;
    const found = parentsOf(node.children, id, [...above, node.menu.id]);
    if (found) return found;
  }
  return undefined;
};

/** Ticks a menu: everything below it, the directories above it, and the view permission of every page among them. */
export function tickMenu(nodes: readonly RoleNode[], chosen: Chosen, node: RoleNode): Chosen {
  const touched = flatten([node]);
  return {
    menus: new Set([...chosen.menus, ...(parentsOf(nodes, node.menu.id) ?? []), ...touched.map(({ menu }) => menu.id)]),
    permissions: new Set([...chosen.permissions, ...touched.flatMap(({ viewPermission }) => viewPermission ?? [])]),
  };
}

/** Permissions that go when a menu is un-ticked: those that no other ticked page offers. */
export function goingWith(nodes: readonly RoleNode[], chosen: Chosen, node: RoleNode): Permission[] {
  const leaving = new Set(flatten([node]).map(({ menu }) => menu.id));
  const staying = new Set(
    flatten(nodes)
      .filter(({ menu }) => chosen.menus.has(menu.id) && !leaving.has(menu.id))
      .flatMap(({ permissions }) => permissions.map(({ code }) => code)),
  );
  const going = new Map(
    flatten([node]).flatMap(({ permissions }) => permissions.map((permission) => [permission.code, permission] as const)),
  );
  return [...going.values()].filter(({ code }) => chosen.permissions.has(code) && !staying.has(code));
}

/** Un-ticks a menu with everything below it, what goes with it, and directories above that have become empty. */
export function untickMenu(nodes: readonly RoleNode[], chosen: Chosen, node: RoleNode): Chosen {
  const going = new Set(goingWith(nodes, chosen, node).map(({ code }) => code));
  const menus = new Set(chosen.menus);
  for (const { menu } of flatten([node])) menus.delete(menu.id);
  for (const parent of [...(parentsOf(nodes, node.menu.id) ?? [])].reverse()) {
    const directory = flatten(nodes).find(({ menu }) => menu.id === parent);
    if (directory && directory.menu.kind === 'DIR' && !directory.children.some(({ menu }) => menus.has(menu.id))) menus.delete(parent);
  }
  return { menus, permissions: new Set([...chosen.permissions].filter((code) => !going.has(code))) };
}

/** Ticks or un-ticks one permission; a button needs its page, and a page its view permission. */
export function togglePermission(nodes: readonly RoleNode[], chosen: Chosen, node: RoleNode | null, code: string, on: boolean): Chosen {
  if (!on) return { ...chosen, permissions: new Set([...chosen.permissions].filter((held) => held !== code)) };
  const withCode = { ...chosen, permissions: new Set([...chosen.permissions, code]) };
  if (!node || chosen.menus.has(node.menu.id)) return withCode;
  const page = { ...node, children: [] };
  return tickMenu(nodes, withCode, page);
}

/** What else a role says of itself. */
export interface RoleFacts {
  name: string;
  description: string;
  defaultRouteKey: string | null;
}

export interface FactChange {
  label: string;
  before: string;
  after: string;
}

/** Changed facts as the operator reads them: the first page by its title. */
export function factChanges(nodes: readonly RoleNode[], before: RoleFacts, after: RoleFacts): FactChange[] {
  const title = (key: string | null) =>
    key === null ? '菜单中的第一个页面' : (flatten(nodes).find(({ menu }) => menu.routeKey === key)?.menu.titleName ?? key);
  const rows = [
    { label: '角色名称', before: before.name, after: after.name },
    { label: '说明', before: before.description, after: after.description },
    { label: '首页', before: title(before.defaultRouteKey), after: title(after.defaultRouteKey) },
  ];
  return rows.filter((row) => row.before !== row.after);
}

export interface Difference {
  addedMenus: string[];
  removedMenus: string[];
  addedPermissions: string[];
  removedPermissions: string[];
}

const minus = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((item) => !b.has(item));

/** What a save changes, against the saved version. */
export const differenceOf = (before: Chosen, after: Chosen): Difference => ({
  addedMenus: minus(after.menus, before.menus),
  removedMenus: minus(before.menus, after.menus),
  addedPermissions: minus(after.permissions, before.permissions),
  removedPermissions: minus(before.permissions, after.permissions),
});

export const isSame = (difference: Difference): boolean => Object.values(difference).every((list: string[]) => list.length === 0);
