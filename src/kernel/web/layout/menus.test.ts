import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routeKeyOf } from '../../contract/route.ts';
import { insuranceMenu, markedEntry, permittedInsurance } from './insuranceMenu.ts';
import { matches } from './menuMatch.ts';
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
  const known = new Set(['downloadList', 'signContract']);
  const groups = permittedInsurance(new Set(['downloadList', 'orderManagement']), known);
  expect(groups).toEqual([{ entries: [{ title: '下载中心', path: '/downloadList' }] }]);
});

test.each([
  ['签约合同详情', ['保险业务', '入组管理', '签约合同'], '/signContract'],
  ['权益申请打款', ['保险业务', '理赔管理', '权益申请审核'], '/interestsContract'],
  ['理赔订单详情', ['保险业务', '理赔管理', '理赔订单查询'], '/interestsContractList'],
  ['控费规则', ['保险业务', '产品与保单', '控费管理'], '/controlModule'],
  ['下载中心（低代码）', ['保险业务', '临时页面'], '/downloadList'],
  ['卡信息详情', ['保险业务', '卡管理', '卡列表'], '/cardManagement'],
])('%s marks its entry', (title, trail, entry) => {
  expect(markedEntry({ path: '/x', title, trail })).toBe(entry);
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
const known = new Set(['userManagement', 'signContract']);

test('the top menu shows built pages on three levels and no empty directory', () => {
  const items = menuItems(menu, known);
  expect(flatten(items).map(({ path, trail }) => [path, ...trail])).toEqual([
    ['/userManagement', '系统管理'],
    ['/signContract', '保险业务', '入组管理'],
  ]);
  expect(items.map(({ title }) => title)).toEqual(['系统管理', '保险业务']);
  const detail = {
    path: '/signContractDetail',
    title: '',
    trail: ['保险业务', '入组管理', '入组审核'],
    domain: '',
    left: 'none',
    kind: 'audit',
    navShow: true,
    weChatPage: false,
  } as const;
  expect(activeTop(items, detail)).toBe('保险业务');
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
