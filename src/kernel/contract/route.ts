export type LeftMenu = 'none' | 'corpus' | 'insurance';
export type RouteKind = 'layout' | 'public' | 'wechat' | 'list' | 'tool' | 'form' | 'detail' | 'audit' | 'dashboard' | 'lowcode';

/** A page of the product; its facts must equal its row in docs/design/routes.csv and menus.md. */
export interface RouteDeclaration {
  /** `/userManagement`; its key is the path without the slash. */
  path: string;
  title: string;
  /** Titles above the page, for the breadcrumb: `['系统管理', '角色管理']`. */
  trail: readonly string[];
  domain: string;
  left: LeftMenu;
  kind: RouteKind;
  /** Level-1 entry of the top menu under which it stands; absent: reached from another page. */
  menu?: string;
  /** View permission; `session` = anybody logged in. Absent for public pages. */
  permission?: string;
  /** Content area is shown; false only for the layout itself. */
  navShow: boolean;
  /** WeChat page: header and menus are hidden. */
  weChatPage: boolean;
}

type RouteInput = Pick<RouteDeclaration, 'path' | 'title' | 'kind'> &
  Partial<Pick<RouteDeclaration, 'trail' | 'left' | 'menu' | 'permission'>>;

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

/** Key of a route in menus, preferences and logs. */
export const routeKeyOf = (path: string) => path.replace(/^\//, '');
