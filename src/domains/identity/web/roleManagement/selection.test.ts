import { describe, expect, it } from 'vitest';
import { differenceOf, factChanges, flatten, goingWith, isSame, roleTree, tickMenu, togglePermission, untickMenu } from './selection.ts';
import type { Chosen, MenuRow, Permission } from './selection.ts';

const menu = (id: string, parentId: string | null, routeKey: string | null): MenuRow => ({
  id,
  parentId,
  level: parentId ? 2 : 1,
  titleName: id,
  routeKey,
  path: routeKey && `/${routeKey}`,
  kind: routeKey ? 'PAGE' : 'DIR',
  icon: null,
  sort: Number(id),
  leftMenu: 'none',
  navShow: true,
  weChatPage: false,
  visible: true,
  builtin: true,
  version: 1,
  roleCount: 0,
});
const permission = (code: string, routeKeys: string[], risk: 'NORMAL' | 'HIGH' = 'NORMAL'): Permission => ({
  code,
  label: code,
  domain: 'x',
  risk,
  routeKeys,
  calls: [],
  decides: null,
  retiredAt: null,
  roles: [],
});
const route = (routeKey: string, viewPermission: string) => ({
  routeKey,
  path: `/${routeKey}`,
  title: routeKey,
  trail: [],
  left: 'none' as const,
  kind: 'list',
  source: 'CODE' as const,
  viewPermission,
  usedBy: null,
});

// 1 ─ 2 page a (a.view, a.edit, shared), 3 page b (b.view, shared); 4 page c for everybody
const permissions = [
  permission('a.edit', ['a'], 'HIGH'),
  permission('a.view', ['a']),
  permission('b.view', ['b']),
  permission('shared', ['a', 'b']),
];
const nodes = roleTree(
  {
    menus: [menu('1', null, null), menu('2', '1', 'a'), menu('3', '1', 'b'), menu('4', null, 'c')],
    routeCatalogue: [route('a', 'a.view'), route('b', 'b.view'), route('c', 'session')],
  },
  permissions,
);
const node = (id: string) => flatten(nodes).find((one) => one.menu.id === id)!;
const chosen = (menus: string[], codes: string[]): Chosen => ({ menus: new Set(menus), permissions: new Set(codes) });
const plain = (value: Chosen) => [[...value.menus].sort(), [...value.permissions].sort()];

describe('choosing menus and permissions of a role', () => {
  it('puts the view permission first and knows pages without one', () => {
    expect(node('2').permissions.map(({ code }) => code)).toEqual(['a.view', 'a.edit', 'shared']);
    expect(node('4').viewPermission).toBeNull();
  });
  it('ticks the view permission with a page, and the directory above it', () => {
    expect(plain(tickMenu(nodes, chosen([], []), node('2')))).toEqual([['1', '2'], ['a.view']]);
  });
  it('ticks everything below a directory', () => {
    expect(plain(tickMenu(nodes, chosen([], []), node('1')))).toEqual([
      ['1', '2', '3'],
      ['a.view', 'b.view'],
    ]);
  });
  it('keeps a permission that another ticked page offers, and an empty directory goes', () => {
    const all = chosen(['1', '2', '3'], ['a.view', 'a.edit', 'b.view', 'shared']);
    expect(goingWith(nodes, all, node('2')).map(({ code }) => code)).toEqual(['a.view', 'a.edit']);
    const rest = untickMenu(nodes, all, node('2'));
    expect(plain(rest)).toEqual([
      ['1', '3'],
      ['b.view', 'shared'],
    ]);
    expect(plain(untickMenu(nodes, rest, node('3')))).toEqual([[], []]);
  });
  it('ticks the page with its button', () => {
    expect(plain(togglePermission(nodes, chosen([], []), node('2'), 'a.edit', true))).toEqual([
      ['1', '2'],
      ['a.edit', 'a.view'],
    ]);
    expect(plain(togglePermission(nodes, chosen(['1', '2'], ['a.edit', 'a.view']), node('2'), 'a.edit', false))).toEqual([
      ['1', '2'],
      ['a.view'],
    ]);
  });
  it('names what a save changes', () => {
    const before = chosen(['1', '2'], ['a.view']);
    expect(isSame(differenceOf(before, before))).toBe(true);
    expect(differenceOf(before, chosen(['1', '3'], ['b.view']))).toEqual({
      addedMenus: ['3'],
      removedMenus: ['2'],
      addedPermissions: ['b.view'],
      removedPermissions: ['a.view'],
    });
  });
  it('names what a save changes of the role itself, the first page by its title', () => {
    const facts = { name: '客服', description: '', defaultRouteKey: null };
    expect(factChanges(nodes, facts, facts)).toEqual([]);
    expect(factChanges(nodes, facts, { name: '客服组长', description: '夜班', defaultRouteKey: 'b' })).toEqual([
      { label: '角色名称', before: '客服', after: '客服组长' },
      { label: '说明', before: '', after: '夜班' },
      { label: '首页', before: '菜单中的第一个页面', after: '3' },
    ]);
  });
});
