import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { declareRoutes } from '../../contract/route.ts';
import { pagesOf } from '../module.ts';
import { registerPages } from '../router/pages.ts';
import { provideNavigator } from '../router/navigate.ts';
import { endSession } from '../session/expiry.ts';
import { syncWithOtherTabs } from '../session/otherTabs.ts';
import { restartAtLogin } from '../session/restart.ts';
import { clearSession, keptPages } from '../session/storage.ts';
import { forgetSession, useSession } from '../session/store.ts';
import { resumeTabs } from './kept.ts';
import { tabs, useTabs } from './store.ts';

const routes = declareRoutes('x', [
  { path: '/users', title: '用户管理', kind: 'list', menu: '系统管理' },
  { path: '/roles', title: '角色管理', kind: 'list', menu: '系统管理' },
  { path: '/user', title: '用户详情', kind: 'detail', parent: 'users' },
  { path: '/:token', title: '低代码页面', kind: 'lowcode' },
]);
const load = () => Promise.resolve({ default: () => null });
registerPages(pagesOf(routes, Object.fromEntries(routes.map(({ path }) => [path, load]))));

function memory() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
  };
}

const entry = (routeKey: string) => ({ titleName: routeKey, routeKey });
const signIn = (userId: string, menu = ['users', 'roles', 'k3f9a1']) =>
  useSession.setState({ phase: 'ready', userId, userRoleMenu: menu.map(entry), permissions: new Set() });
const leavePage = () => {
  forgetSession();
  tabs.clear();
};
const open = (route: string, search = {}, title = route, path = route) =>
  tabs.open({ key: path + (route === '/user' ? '?id=1' : ''), route, path, search, title });
const titles = () => useTabs.getState().tabs.map(({ title }) => title);
let went: string[];

beforeEach(() => {
  went = [];
  vi.stubGlobal('localStorage', memory());
  vi.stubGlobal('sessionStorage', memory());
  vi.stubGlobal('location', { replace: (href: string) => void went.push(href) });
  signIn('1');
  open('/users', { pageNo: '2' }, '用户管理');
  open('/user', { id: '1' }, '用户 张三');
  open('/:token', {}, 'SAP对账', '/k3f9a1');
  open('/user', { id: '1' }, '用户 张三');
});
afterEach(() => {
  leavePage();
  vi.unstubAllGlobals();
});

test('a reload keeps the open pages, their addresses and titles; none is drawn before it is shown', () => {
  leavePage();
  signIn('1');
  expect(resumeTabs()).toBe(undefined);
  expect(titles()).toEqual(['用户管理', '用户 张三', 'SAP对账']);
  expect(useTabs.getState().tabs.map(({ used, dirty }) => [used, dirty])).toEqual([0, 1, 2].map(() => [0, false]));
  expect(useTabs.getState().tabs[0]?.search).toEqual({ pageNo: '2' });
});

test('pages that the person may not open any longer are left out, and nothing is opened over what is open', () => {
  leavePage();
  signIn('1', ['roles']);
  expect(resumeTabs()).toBe(undefined);
  expect(titles()).toEqual([]);
  leavePage();
  signIn('1');
  open('/roles');
  resumeTabs();
  expect(titles()).toEqual(['/roles']);
});

test('重新登录 leads the same person back, without the names of records in the browser; another person finds nothing', () => {
  endSession('登录已过期，请重新登录');
  restartAtLogin();
  expect(went).toEqual(['/login']);
  expect(JSON.stringify(keptPages())).not.toContain('张三');
  leavePage();
  signIn('2');
  expect([resumeTabs(), titles()]).toEqual([undefined, []]);
  leavePage();
  signIn('1');
  expect(resumeTabs()).toMatchObject({ path: '/user', search: { id: '1' } });
  expect(titles()).toEqual(['用户管理', '用户详情', 'SAP对账']);
});

test('a logout leaves nothing, and what is no list of pages counts as nothing', () => {
  clearSession();
  expect(keptPages()).toBe(undefined);
  sessionStorage.setItem('pages', '{"pages":1}');
  leavePage();
  signIn('1');
  expect([resumeTabs(), titles()]).toEqual([undefined, []]);
});

test('another tab leads to the login: after the end of a session the pages of this one wait, after a logout nothing does', () => {
  let hear = (_event: Pick<StorageEvent, 'key' | 'newValue'>) => {};
  vi.stubGlobal('window', { addEventListener: (_name: string, heard: typeof hear) => (hear = heard), removeEventListener() {} });
  provideNavigator({ push: () => {}, replace: (href) => void went.push(href), href: () => '/' });
  syncWithOtherTabs(() => {});
  hear({ key: 'Authorization', newValue: null });
  hear({ key: null, newValue: null });
  expect(went).toEqual(['/login']);
  expect(keptPages()).toMatchObject({ userId: '1', ended: true, pages: [{ title: '用户管理' }, {}, { title: 'SAP对账' }] });
  signIn('1');
  expect(resumeTabs()).toMatchObject({ route: '/user', search: { id: '1' } });

  hear({ key: 'Authorization', newValue: 'a token' });
  hear({ key: null, newValue: null });
  expect(keptPages()).toBeUndefined();
});
