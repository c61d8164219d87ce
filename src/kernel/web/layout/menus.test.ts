import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { designCsv } from '#testing/designLists.ts';
import type { LeftMenu, RouteDeclaration } from '../../contract/route.ts';
import { declareRoutes, routeKeyOf } from '../../contract/route.ts';
import { knownPages } from '../router/pages.ts';
import { insuranceMenu, markedEntry, permittedInsurance } from './insuranceMenu.ts';
import { matches, rankOf } from './menuMatch.ts';
import { pinyinOf } from './pinyin.ts';
import { activeTop, fitting, flatten, menuItems } from './topMenu.ts';

const design = readFileSync('docs/design/menus.md', 'utf8');

test('the left insurance menu is the design’s, row by row', () => {
  const rows = design.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return /^\d+$/.test(cells[1] ?? '') ? [[cells[2] === '–' ? undefined : cells[2], cells[3], cells[5]]] : [];
  });
  const declared = insuranceMenu.flatMap((group) => group.entries.map((entry) => [group.title, entry.title, entry.path]));
  expect(rows).toHaveLength(38);
  expect(declared).toEqual(rows);
});

test('only permitted and built entries are shown, and no group without any', () => {
  const built = (key: string) => ['downloadList', 'signContract'].includes(key);
  const groups = permittedInsurance(new Set(['downloadList', 'orderManagement']), built);
  expect(groups).toEqual([{ entries: [{ title: '下载中心', path: '/downloadList' }] }]);
});

/** The design's routes as the domains declare them: the page that stands last in a trail is the parent. */
const designed: readonly RouteDeclaration[] = (() => {
  const rows = designCsv('routes.csv');
  const nameOf = new Map(rows.map((row) => [row['title']!, routeKeyOf(row['path']!)]));
  return rows.map((row) => {
    const trail = row['trail']!.split(' > ').filter(Boolean);
    const parent = nameOf.get(trail.at(-1) ?? '');
    const above = parent === undefined ? { trail } : { trail: [], parent };
    return {
      path: row['path']!,
      title: '',
      ...above,
      domain: '',
      left: row['left'] as LeftMenu,
      kind: 'list',
      navShow: true,
      weChatPage: false,
    };
  });
})();

test('every page with this menu marks the entry of the design, by names alone', () => {
  const marked = Object.fromEntries(
    designed.filter(({ left }) => left === 'insurance').map((route) => [routeKeyOf(route.path), markedEntry(route, designed)]),
  );
  const entries = insuranceMenu.flatMap((group) => group.entries.map(({ path }) => path));
  for (const path of entries) expect(marked[routeKeyOf(path)]).toBe(path);
  expect(Object.entries(marked).filter(([, entry]) => entry === undefined)).toEqual([]);
  expect(marked).toMatchObject({
    signContractListDetail: '/signContract',
    contractRightsApplyCheckPay: '/interestsContract',
    interestsContractListDetail: '/interestsContractList',
    payDetail: '/interestsContractList',
    insurancePremiumOrderAudit: '/insurancePremiumOrderInquiry',
    associatedProduct: '/productHome',
    dataStatistics: '/productHome',
    controlRules: '/controlModule',
    invoiceStoe: '/invoice',
    invoiceZAAuditor: '/invoiceAuditor',
    cardInformationDetail: '/cardManagement',
    logistics: '/orderManagement',
    downloadCenter: '/downloadList',
  });
});

const menu = [
  {
    titleName: '系统管理',
    children: [
      { titleName: '用户管理', routeKey: 'userManagement' },
      { titleName: '未建页面', routeKey: 'later' },
    ],
  },
  {
    titleName: '保险业务',
    children: [
      {
        titleName: '入组管理',
        children: [{ titleName: '入组审核', routeKey: '/signContract', children: [{ titleName: '第四级', routeKey: 'userManagement' }] }],
      },
    ],
  },
  { titleName: '空目录', children: [{ titleName: '未建', routeKey: 'later' }] },
];
const known = knownPages(
  declareRoutes(
    'x',
    ['/userManagement', '/signContract'].map((path) => ({ path, title: '', kind: 'list' as const })),
  ),
);

test('the top menu shows built pages on three levels and no empty directory', () => {
  const items = menuItems(menu, known);
  expect(flatten(items).map(({ path, trail }) => [path, ...trail])).toEqual([
    ['/userManagement', '系统管理'],
    ['/signContract', '保险业务', '入组管理'],
  ]);
  expect(items.map(({ title }) => title)).toEqual(['系统管理', '保险业务']);
  expect(activeTop(items, ['/signContractDetail', '/signContract'], [])).toBe('保险业务');
  expect(activeTop(items, ['/elsewhere'], ['系统管理'])).toBe('系统管理');
  expect(activeTop(items, ['/elsewhere'], [])).toBe(undefined);
});

test('a menu row with a low-code token is shown where the page for tokens is built', () => {
  const rows = [{ titleName: '对账', children: [{ titleName: 'SAP对账', routeKey: 'k3f9a1' }] }];
  const tokens = knownPages(declareRoutes('x', [{ path: '/:token', title: '低代码页面', kind: 'lowcode' }]));
  expect(flatten(menuItems(rows, tokens)).map(({ path }) => path)).toEqual(['/k3f9a1']);
  expect(menuItems(rows, known)).toEqual([]);
  expect([tokens('a/b'), tokens('')]).toEqual([false, false]);
});

test('what does not fit leaves room for 更多', () => {
  expect(fitting([100, 100, 100], 300, 70)).toBe(3);
  expect(fitting([100, 100, 100], 299, 70)).toBe(2);
  expect(fitting([100, 100, 100], 60, 70)).toBe(0);
});

test.each(['下载', 'xzzx', 'xiazaizhongxin', 'XZ', 'downloadlist', '订单与开票', ''])('the search finds 下载中心 by %j', (typed) => {
  expect(matches({ title: '下载中心', path: '/downloadList', trail: ['保险业务', '订单与开票'] }, typed, pinyinOf)).toBe(true);
});

test('the search finds nothing by foreign text, and Chinese before the readings are there', () => {
  const page = { title: '医生管理', path: `/${routeKeyOf('/doctorManagement')}`, trail: [] };
  expect(matches(page, 'xzzx', pinyinOf)).toBe(false);
  expect(matches(page, 'ysgl', null)).toBe(false);
  expect(matches(page, '医生', null)).toBe(true);
});

test('what begins with the word is found before what contains it', () => {
  const titles = ['特殊用户', '专属客服', '用户管理', '用户'];
  expect(titles.toSorted((one, other) => rankOf({ title: one }, '用户') - rankOf({ title: other }, '用户'))).toEqual([
    '用户',
    '用户管理',
    '特殊用户',
    '专属客服',
  ]);
});
