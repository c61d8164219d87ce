import { expect, test } from 'vitest';
import { canOpen, closeTabs, KEPT_ALIVE, NO_TABS, openTab, patchTab, tabKeyOf } from './tabList.ts';
import type { TabList } from './tabList.ts';

const page = (key: string) => ({ key, route: `/${key}`, path: `/${key}`, search: {}, title: key });
const opened = (count: number): TabList =>
  Array.from({ length: count }, (_, index) => `p${index}`).reduce((list, key) => openTab(list, page(key)), NO_TABS);
const keys = (list: TabList) => list.tabs.map((tab) => tab.key);

test('lists have one tab per route, details one per record', () => {
  const list = { path: '/users', kind: 'list', title: '' } as const;
  const form = { path: '/editRole', kind: 'form', title: '' } as const;
  expect(tabKeyOf(list, '/users', { id: '1' })).toBe('/users');
  expect(tabKeyOf(form, '/editRole', { id: '1' })).not.toBe(tabKeyOf(form, '/editRole', { copyId: '1' }));
  expect(tabKeyOf(form, '/editRole', { id: '1', tab: 'x' }, ['id'])).toBe(tabKeyOf(form, '/editRole', { id: '1' }, ['id']));
});

test('beyond the limit the least recently used page goes', () => {
  const used = openTab(opened(KEPT_ALIVE), page('p0'));
  const list = openTab(used, page('new'));
  expect(keys(list)).not.toContain('p1');
  expect(keys(list)).toContain('p0');
  expect(list.tabs).toHaveLength(KEPT_ALIVE);
});

test('a page with edits never goes; when all have edits no other opens', () => {
  const one = patchTab(opened(KEPT_ALIVE), 'p0', { dirty: true });
  expect(keys(openTab(one, page('new')))).toContain('p0');
  const all = keys(one).reduce((list, key) => patchTab(list, key, { dirty: true }), one);
  expect(canOpen(all, 'new')).toBe(false);
  expect(canOpen(all, 'p3')).toBe(true);
  expect(openTab(all, page('new'))).toBe(all);
});

test('switching keeps edits and takes over the address', () => {
  const list = patchTab(opened(2), 'p0', { dirty: true });
  const back = openTab(list, { ...page('p0'), search: { pageNo: '2' } });
  expect(back.tabs[0]).toMatchObject({ dirty: true, search: { pageNo: '2' } });
});

test('closing the shown page shows its right neighbour, else its left one', () => {
  const list = { ...opened(3), active: 'p1' };
  expect(closeTabs(list, new Set(['p1'])).active).toBe('p2');
  expect(closeTabs(list, new Set(['p1', 'p2'])).active).toBe('p0');
  expect(closeTabs(list, new Set(['p0'])).active).toBe('p1');
  expect(closeTabs(list, new Set(['p0', 'p1', 'p2'])).active).toBe(null);
});
