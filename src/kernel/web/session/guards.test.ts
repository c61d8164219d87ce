import { describe, expect, test } from 'vitest';
import type { RouteDeclaration } from '../../contract/route.ts';
import { homeOf, isPermitted, permittedKeys, safeRedirect, wayOf } from './guards.ts';
import { parseMenu } from './storage.ts';

const menu = [{ titleName: '系统管理', children: [{ titleName: '角色管理', routeKey: 'roleManagement' }] }];
const at = (path: string, inLayout: boolean, open = false) => ({ path, href: path, open, inLayout });

describe('navigation guards, in order', () => {
  test.each([
    ['/userManagement', true],
    ['/editUsePwd', false],
    ['/noentry', false],
    ['/nowhere', false],
  ])('without a token %s leads to the login', (path, inLayout) => {
    expect(wayOf(at(path, inLayout), { token: null, menu })).toEqual({ to: '/login', redirect: path });
  });
  test.each(['/login', '/loginCode'])('without a token %s stays', (path) => {
    expect(wayOf(at(path, false), { token: null, menu: null })).toEqual({ to: 'page' });
  });
  test.each([null, '', '{', '{}', '[]'])('a stored menu of %j leads from the layout to /noentry', (text) => {
    const stored = { token: 't', menu: parseMenu(text) };
    expect(wayOf(at('/roleManagement', true), stored)).toEqual({ to: '/noentry' });
    expect(wayOf(at('/noentry', false), stored)).toEqual({ to: 'page' });
  });
  test('a page for everybody needs no token', () => {
    expect(wayOf(at('/wx/form', false, true), { token: null, menu: null })).toEqual({ to: 'page' });
  });
});

const route = (path: string, title: string, more: Partial<RouteDeclaration> = {}): RouteDeclaration => ({
  path,
  title,
  trail: ['系统管理'],
  domain: 'x',
  left: 'none',
  kind: 'list',
  navShow: true,
  weChatPage: false,
  ...more,
});
const roles = route('/roleManagement', '角色管理', { menu: '系统管理', permission: 'identity.role.view' });
const edit = route('/editRole', '编辑角色', { kind: 'form', trail: [], parent: 'roleManagement', permission: 'identity.role.edit' });
const users = route('/userManagement', '用户管理', { menu: '系统管理', permission: 'identity.user.view' });
const tokens = route('/:token', '低代码页面', { kind: 'lowcode', trail: [] });
const all = [roles, edit, users, tokens];

test('a page is permitted by the menu, a detail by its list and its own right', () => {
  const keys = permittedKeys(menu);
  const can = (page: RouteDeclaration, ...permissions: string[]) => isPermitted(page, all, keys, new Set(permissions));
  expect(can(users, 'identity.user.view')).toBe(false);
  expect(can(roles)).toBe(true);
  expect(can(edit)).toBe(false);
  expect(can(edit, 'identity.role.edit')).toBe(true);
  expect(isPermitted(edit, all, new Set(), new Set(['identity.role.edit']))).toBe(false);
  // Titles are no names: who calls a page 角色管理 too gains nothing, and who renames it loses nothing.
  expect(isPermitted(edit, [edit, { ...roles, title: '岗位' }], keys, new Set(['identity.role.edit']))).toBe(true);
  expect(isPermitted(edit, [edit, { ...users, title: '角色管理' }], new Set(['userManagement']), new Set(['identity.role.edit']))).toBe(
    false,
  );
});

test('a low-code page is permitted under the tokens that the menu names', () => {
  const keys = new Set(['k3f9a1']);
  expect(isPermitted(tokens, all, keys, new Set(), '/k3f9a1')).toBe(true);
  expect(isPermitted(tokens, all, keys, new Set(), '/other')).toBe(false);
});

test.each([
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['https://evil.example', null],
  ['', null],
  ['/corpus?diseaseId=1', '/corpus?diseaseId=1'],
])('redirect %s', (given, expected) => expect(safeRedirect(given)).toBe(expected));

test('the first page is the role’s own if it may open it, else the first entry that is built', () => {
  const known = (key: string) => ['roleManagement', 'userManagement'].includes(key);
  expect(homeOf(menu, '/userManagement', known)).toBe('/roleManagement');
  expect(homeOf(menu, '/roleManagement', known)).toBe('/roleManagement');
  expect(homeOf(menu, '', (key) => key === 'userManagement')).toBe(null);
});
