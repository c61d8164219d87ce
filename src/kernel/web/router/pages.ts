import type { RouteDeclaration } from '../../contract/route.ts';
import { isPattern, routeKeyOf } from '../../contract/route.ts';
import type { PageRoute } from '../module.ts';

let registered: readonly PageRoute[] = [];

/** Every page of the product; set once by the composition root. */
export const registerPages = (pages: readonly PageRoute[]): void => void (registered = pages);
export const allRoutes = (): readonly RouteDeclaration[] => registered.map((page) => page.route);
export const pageAt = (path: string): PageRoute | undefined => registered.find((page) => page.route.path === path);

/** Whether there is a page behind a name. */
export type KnownPages = (routeKey: string) => boolean;

const isSegment = (text: string) => /^[^/]+$/.test(text);

/**
 * Every declared page by its own name, and where one page shows all addresses of a form (`/:token`), whatever the role
 * menu names in that form.
 */
export function knownPages(routes: readonly RouteDeclaration[]): KnownPages {
  const names = new Set(routes.filter(({ path }) => !isPattern(path)).map(({ path }) => routeKeyOf(path)));
  const takesTokens = routes.some(isTokenPage);
  return (routeKey) => names.has(routeKey) || (takesTokens && isSegment(routeKey));
}

/** The page that shows what is defined under the one segment of its address. */
const isTokenPage = ({ path, kind }: Pick<RouteDeclaration, 'path' | 'kind'>): boolean =>
  kind === 'lowcode' && isPattern(path) && isSegment(routeKeyOf(path));
