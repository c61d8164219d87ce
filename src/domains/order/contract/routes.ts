import { declareRoutes } from '#kernel/contract/route.ts';

const platform = {
  trail: ['保险业务', '外部履约平台'],
  menu: '保险业务',
  left: 'insurance',
  kind: 'lowcode',
} as const;

export const orderRoutes = declareRoutes('order', [
  { path: '/supplierSetup', title: '供应商设置', ...platform, permission: 'order.supplier.view' },
  { path: '/shieldAddCartGoodsConfig', title: '隐藏加购设置', ...platform, permission: 'order.shield.view' },
]);
