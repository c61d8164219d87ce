import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '内容运营';

export const markRoutes = declareRoutes('content', [
  { path: '/markContent', title: '标签管理', trail: [menu], left: 'none', kind: 'list', menu, permission: 'content.content.view' },
]);
