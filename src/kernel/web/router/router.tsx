import { createRootRoute, createRoute, createRouter, notFound, Outlet, redirect, rootRouteId } from '@tanstack/react-router';
import type { RouterHistory } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { PageRoute } from '../module.ts';
import { wayOf } from '../session/guards.ts';
import { storedMenu, storedToken } from '../session/storage.ts';
import { ExpiryGate } from '../session/ExpiryGate.tsx';
import { parseSearch, stringifySearch } from './address.ts';
import { PageFailed, PageView, withTimeout } from './loadPage.tsx';
import { provideNavigator } from './navigate.ts';
import { NotFound } from './NotFound.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageRoute;
  }
}

const MainLayout = lazy(() => withTimeout(import('../layout/MainLayout.tsx')));

/** The main layout is named productHome; it fetches its own chunk. */
function ProductHome() {
  return (
    <Suspense fallback={<div className="kq-shell-skeleton" />}>
      <MainLayout />
    </Suspense>
  );
}

/** `/q/:code` as the router spells it. */
const pattern = (path: string) => path.replaceAll(/:(\w+)/g, '$$$1');

interface Asked {
  pathname: string;
  href: string;
}

/** The guards of every navigation, in the specification's order. */
function guard({ pathname, href }: Asked, place: { open?: boolean; inLayout?: boolean; byToken?: boolean } = {}): void {
  const target = { path: pathname, href, open: false, inLayout: false, ...place };
  const way = wayOf(target, { token: storedToken(), menu: storedMenu() });
  if (way.to === '/login') throw redirect({ to: '/login', search: way.redirect === '/' ? {} : { redirect: way.redirect }, replace: true });
  if (way.to === '/noentry') throw redirect({ to: '/noentry', search: {}, replace: true });
  if (way.to === 'nowhere') throw notFound({ routeId: rootRouteId });
}

/** Builds the route tree from the modules' pages: '/' is the main layout, every page with a session its child. */
export function makeRouter(all: readonly PageRoute[], history?: RouterHistory) {
  const pages = all.filter(({ route }) => route.path !== '*');
  const unknown = all.find(({ route }) => route.path === '*');
  const Unknown = () => (unknown ? <PageView load={unknown.load} /> : <NotFound />);
  const root = createRootRoute({
    component: () => (
      <>
        <Outlet />
        <ExpiryGate />
      </>
    ),
    notFoundComponent: Unknown,
    // What lies over the pages broke, or its chunk did not arrive.
    errorComponent: PageFailed,
  });
  const productHome = createRoute({
    getParentRoute: () => root,
    id: 'productHome',
    component: ProductHome,
    beforeLoad: ({ location, matches }) => {
      const shown = matches.at(-1)?.staticData.page?.route;
      guard(location, { inLayout: true, byToken: shown?.kind === 'lowcode' });
    },
  });
  const home = createRoute({ getParentRoute: () => productHome, path: '/', component: () => null });
  const isOutside = ({ route }: PageRoute) => route.kind === 'public' || route.kind === 'wechat';
  const inside = pages
    .filter((page) => !isOutside(page) && page.route.kind !== 'layout')
    .map((page) =>
      createRoute({ getParentRoute: () => productHome, path: pattern(page.route.path), component: () => null, staticData: { page } }),
    );
  const outside = pages.filter(isOutside).map((page) =>
    createRoute({
      getParentRoute: () => root,
      path: pattern(page.route.path),
      component: () => <PageView load={page.load} />,
      staticData: { page },
      beforeLoad: ({ location }) => guard(location, { open: page.route.kind === 'wechat' }),
    }),
  );
  const rest = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: Unknown,
    beforeLoad: ({ location }) => guard(location),
  });
  const router = createRouter({
    routeTree: root.addChildren([productHome.addChildren([home, ...inside]), ...outside, rest]),
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: false,
    scrollRestoration: false,
  });
  // At once: who goes on reads the entry of the history that has come of it.
  const change = (way: 'push' | 'replace', href: string) => {
    router.history[way](href);
    router.history.flush();
  };
  provideNavigator({
    push: (href) => change('push', href),
    replace: (href) => change('replace', href),
    href: () => router.history.location.href,
  });
  return router;
}
