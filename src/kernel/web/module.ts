import type { ComponentType } from 'react';
import type { RouteDeclaration } from '../contract/route.ts';
import type { LogoutStep } from './session/logout.ts';
import type { Filling } from './slots.tsx';

type PageLoader = () => Promise<{ default: ComponentType }>;

/** A declared route and the chunk that shows it. */
export interface PageRoute {
  route: RouteDeclaration;
  load: PageLoader;
  /**
   * Detail, audit and form pages have one tab per record: the address parameters that name it.
   * Absent: all of them.
   */
  record?: readonly string[];
}

/** The browser half of a domain, as the composition root `src/web/main.tsx` takes it. */
export interface WebModule {
  domain: string;
  pages: readonly PageRoute[];
  slots?: readonly Filling[];
  /** Address parameters of layers that open over any page; they name no page of their own. */
  layers?: readonly string[];
  /** Refusals that mean something to the whole product (a restricted session must change its password). */
  onRefusal?: Readonly<Record<string, (message: string) => void>>;
  logoutSteps?: readonly LogoutStep[];
}

type PageEntry = PageLoader | { load: PageLoader; record: readonly string[] };

/**
 * Joins a domain's declared routes with their chunks:
 * `pagesOf(identityRoutes, { '/userManagement': () => import('./userManagement/UserManagement.tsx') })`.
 * A path that is not declared is an error at start; a declared route without a page is simply not registered.
 */
export function pagesOf(routes: readonly RouteDeclaration[], pages: Readonly<Record<string, PageEntry>>): PageRoute[] {
  return Object.entries(pages).map(([path, entry]) => {
    const route = routes.find((declared) => declared.path === path);
    if (!route) throw new Error(`Page ${path} has no declared route`);
    return typeof entry === 'function' ? { route, load: entry } : { route, ...entry };
  });
}
