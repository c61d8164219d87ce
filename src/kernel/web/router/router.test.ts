import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { declareRoutes } from '../../contract/route.ts';
import { pagesOf } from '../module.ts';
import { makeRouter } from './router.tsx';

const routes = declareRoutes('x', [
  { path: '/', title: '首页', kind: 'layout' },
  { path: '/login', title: '登录', kind: 'public' },
  { path: '/noentry', title: '暂无权限', kind: 'public' },
  { path: '/roleManagement', title: '角色管理', kind: 'list', menu: '系统管理' },
  { path: '/:token', title: '低代码页面', kind: 'lowcode' },
]);
const empty = () => Promise.resolve({ default: () => null });
const pages = pagesOf(routes, Object.fromEntries(routes.map(({ path }) => [path, empty])));
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  stored.set('Authorization', 'token');
  stored.set('userRoleMenu', JSON.stringify([{ titleName: '对账', children: [{ titleName: 'SAP对账', routeKey: 'k3f9a1' }] }]));
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
});
afterEach(() => vi.unstubAllGlobals());

/**
 * Declared path of the page that an address leads to; `404` where the public page for unknown addresses is shown. Where guards redirect
 * to is guards.test.ts's.
 */
async function shownAt(address: string): Promise<string> {
  const router = makeRouter(pages, createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  const { matches } = router.state;
  if (matches.length === 0) return 'redirected';
  const html = renderToString(createElement(RouterProvider, { router }));
  return html.includes('页面不存在') ? '404' : (matches.at(-1)?.staticData.page?.route.path ?? '');
}

test.each([
  ['/k3f9a1', '/:token'],
  ['/roleManagement', '/roleManagement'],
  ['/nothingOfTheKind', '404'],
  ['/two/segments', '404'],
  ['/login', '/login'],
])('%s leads to %s', async (address, page) => {
  expect(await shownAt(address)).toBe(page);
});

test('an unknown address is unknown also to who has no menu, and asks first who comes', async () => {
  stored.delete('userRoleMenu');
  expect(await shownAt('/nothingOfTheKind')).toBe('404');
  expect(await shownAt('/roleManagement')).toBe('redirected');
  stored.delete('Authorization');
  expect(await shownAt('/k3f9a1')).toBe('redirected');
});
