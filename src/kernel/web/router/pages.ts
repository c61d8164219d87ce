import type { RouteDeclaration } from '../../contract/route.ts';
import type { PageRoute } from '../module.ts';

let registered: readonly PageRoute[] = [];

/** Every page of the product; set once by the composition root. */
export const registerPages = (pages: readonly PageRoute[]): void => void (registered = pages);
export const allPages = (): readonly PageRoute[] => registered;
export const allRoutes = (): readonly RouteDeclaration[] => registered.map((page) => page.route);
export const pageAt = (path: string): PageRoute | undefined => registered.find((page) => page.route.path === path);
