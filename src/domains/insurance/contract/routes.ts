import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '保险业务';
const trail = [menu, '产品与保单'];
const left = 'insurance' as const;

/** All pages of insurance; the web module registers those that are built. */
export const productRoutes = declareRoutes('insurance', [
  { path: '/productHome', title: '产品后台', trail, left, kind: 'list', menu, permission: 'insurance.product.view' },
  { path: '/appedProduct', title: '附加产品', parent: 'productHome', left, kind: 'form', permission: 'insurance.product.view' },
  { path: '/associatedProduct', title: '关联产品', parent: 'productHome', left, kind: 'list', permission: 'insurance.product.view' },
]);

export const claimRuleRoutes = declareRoutes('insurance', [
  { path: '/lookClaimRules', title: '理赔规则', parent: 'productHome', left, kind: 'detail', permission: 'insurance.claimRule.view' },
]);

export const controlRoutes = declareRoutes('insurance', [
  { path: '/controlModule', title: '控费管理', trail, left, kind: 'list', menu, permission: 'insurance.control.view' },
  { path: '/controlRules', title: '控费规则', parent: 'controlModule', left, kind: 'form', permission: 'insurance.control.view' },
]);

export const statisticsRoutes = declareRoutes('insurance', [
  { path: '/dataStatistics', title: '数据统计', trail, left, kind: 'dashboard', menu, permission: 'insurance.stat.view' },
]);
