export type LeftMenu = 'none' | 'corpus' | 'insurance';
type RouteKind = 'layout' | 'public' | 'wechat' | 'list' | 'tool' | 'form' | 'detail' | 'audit' | 'dashboard' | 'lowcode';

/** A page of the product; its facts must equal its row in docs/design/routes.csv and menus.md. */
export interface RouteDeclaration {
  /** `/userManagement`; its key is the path without the slash. */
  path: string;
  title: string;
  /** Titles of the menu's directories above the page: `['系统管理']`; empty where `parent` says what lies above. */
  trail: readonly string[];
  /** Name of the page from which this one is reached; its trail and its right to be opened go through it. */
  parent?: string;
  domain: string;
  left: LeftMenu;
  kind: RouteKind;
  /** Level-1 entry of the top menu under which it is listed; absent: reached from another page. */
  menu?: string;
  /** View permission; `session` = anybody logged in. Absent for public pages. */
  permission?: string;
  /** Content area is shown; false only for the layout itself. */
  navShow: boolean;
  /** WeChat page: header and menus are hidden. */
  weChatPage: boolean;
}

type RouteInput = Pick<RouteDeclaration, 'path' | 'title' | 'kind'> &
  Partial<Pick<RouteDeclaration, 'trail' | 'parent' | 'left' | 'menu' | 'permission'>>;

/** Declares the pages of a domain. */
export function declareRoutes(domain: string, routes: readonly RouteInput[]): readonly RouteDeclaration[] {
  return routes.map((route) => ({
    domain,
    trail: [],
    left: 'none',
    navShow: route.kind !== 'layout',
    weChatPage: route.kind === 'wechat',
    ...route,
  }));
}

/** Name of a route: what menus, permissions, trails, preferences and logs call it. Its title may be another one tomorrow. */
export const routeKeyOf = (path: string) => path.replace(/^\//, '');

type Named = Pick<RouteDeclaration, 'path' | 'title' | 'trail' | 'parent'>;

/** The page from which another one is reached. */
export const parentOf = <Route extends Named>(route: Pick<Route, 'parent'>, all: readonly Route[]): Route | undefined =>
  route.parent === undefined ? undefined : all.find(({ path }) => routeKeyOf(path) === route.parent);

/** The pages above a page, the nearest last. */
export function pagesAbove<Route extends Named>(route: Pick<Route, 'parent'>, all: readonly Route[]): Route[] {
  const parent = parentOf(route, all);
  return parent ? [...pagesAbove(parent, all), parent] : [];
}

/** Titles above a page, as breadcrumbs and the menus' catalogue show them. */
export function trailOf<Route extends Named>(route: Route, all: readonly Route[]): string[] {
  const above = pagesAbove(route, all);
  return [...(above[0] ?? route).trail, ...above.map(({ title }) => title)];
}

/** `/:token`: one page for every address of its form. */
export const isPattern = (path: string) => path.includes(':');
