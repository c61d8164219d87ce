import { describe, expect, it } from 'vitest';
import { dropFault, flat, possibleParents, sortAfterDrop } from './menuTree.ts';
import type { Drop, MenuRow } from './menuTree.ts';

const menu = (id: string, parentId: string | null, kind: 'DIR' | 'PAGE', sort: number): MenuRow => ({
  id,
  parentId,
  level: 1,
  titleName: id,
  routeKey: kind === 'PAGE' ? id : null,
  path: null,
  kind,
  icon: null,
  sort,
  leftMenu: 'none',
  navShow: true,
  weChatPage: false,
  visible: true,
  builtin: false,
  version: 1,
  roleCount: 0,
});
// 1 ─ 2 ─ 3(page) ; 1 ─ 4(page) ; 5 ; 6(page)
const menus = [
  menu('1', null, 'DIR', 10),
  menu('2', '1', 'DIR', 10),
  menu('3', '2', 'PAGE', 10),
  menu('4', '1', 'PAGE', 20),
  menu('5', null, 'DIR', 20),
  menu('6', null, 'PAGE', 30),
];
const of = (id: string) => menus.find((one) => one.id === id)!;

describe('the menu tree while it is dragged', () => {
  it('shows parents before children and leaves out what is folded', () => {
    expect(flat(menus, new Set()).map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(flat(menus, new Set(['1'])).map(({ id }) => id)).toEqual(['1', '5', '6']);
  });
  it.each([
    ['1', '2', 'inside', '不能移动到自身的下级'],
    ['1', '3', 'before', '不能移动到自身的下级'],
    ['1', '5', 'inside', '菜单最多支持三级'],
    ['6', '4', 'inside', '只能移动到目录下'],
    ['2', '5', 'inside', null],
    ['6', '3', 'after', null],
    ['2', '4', 'after', null],
  ] satisfies [string, string, Drop, string | null][])('%s onto %s (%s): %s', (moved, target, drop, fault) => {
    expect(dropFault(menus, of(moved), of(target), drop)).toBe(fault);
  });
  it('numbers the entries beside the moved one anew', () => {
    expect(sortAfterDrop(menus, of('6'), of('4'), 'before')).toEqual([
      { id: '2', parentId: '1', sort: 10 },
      { id: '6', parentId: '1', sort: 20 },
      { id: '4', parentId: '1', sort: 30 },
    ]);
    expect(sortAfterDrop(menus, of('4'), of('5'), 'inside')).toEqual([{ id: '4', parentId: '5', sort: 10 }]);
  });
  it('offers only directories that leave room for what is below', () => {
    expect(possibleParents(menus, null).map(({ id }) => id)).toEqual(['1', '2', '5']);
    expect(possibleParents(menus, '2').map(({ id }) => id)).toEqual(['1', '5']);
    expect(possibleParents(menus, '1').map(({ id }) => id)).toEqual([]);
  });
});
