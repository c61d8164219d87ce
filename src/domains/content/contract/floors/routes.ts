import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '内容运营';

export const floorRoutes = declareRoutes('content', [
  { path: '/bannerConfig', title: 'Banner与楼层配置', trail: [menu], left: 'none', kind: 'list', menu, permission: 'content.content.view' },
]);
