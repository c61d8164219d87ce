import { declareRoutes } from '#kernel/contract/route.ts';

/** Pages of lowcode; equal to docs/design/routes.csv. Pages that ship with a domain stand among its own routes. */
export const lowcodeRoutes = declareRoutes('lowcode', [
  { path: '/amisPageV1', title: '低代码页面', trail: ['系统管理'], kind: 'lowcode', menu: '系统管理', permission: 'lowcode.page.view' },
  { path: '/:token', title: '低代码页面（按标识）', kind: 'lowcode' },
]);
