import { declareRoutes } from '#kernel/contract/route.ts';

/** Pages of files; equal to docs/design/routes.csv and menus.md. */
export const fileRoutes = declareRoutes('files', [
  {
    path: '/downloadList',
    title: '下载中心',
    trail: ['保险业务', '订单与开票'],
    left: 'insurance',
    kind: 'list',
    menu: '保险业务',
    permission: 'session',
  },
  {
    path: '/downloadCenter',
    title: '下载中心（低代码）',
    trail: ['保险业务', '临时页面'],
    left: 'insurance',
    kind: 'lowcode',
    menu: '保险业务',
    permission: 'session',
  },
]);
