import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '内容运营';

export const advertRoutes = declareRoutes('content', [
  { path: '/advertiseManage', title: '广告管理', trail: [menu], left: 'none', kind: 'list', menu, permission: 'content.content.view' },
]);
