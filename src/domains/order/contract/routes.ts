import { declareRoutes } from '#kernel/contract/route.ts';

const platform = {
  trail: ['保险业务', '外部履约平台'],
  menu: '保险业务',
  left: 'insurance',
  kind: 'lowcode',
} as const;

const passing = { ...platform, trail: ['保险业务', '临时页面'] } as const;

export const orderRoutes = declareRoutes('order', [
  {
    path: '/orderManagement',
    title: '订单管理',
    trail: ['保险业务', '订单与开票'],
    menu: '保险业务',
    left: 'insurance',
    kind: 'list',
    permission: 'order.order.view',
  },
  { path: '/orderAllocation', title: '订单分配规则', ...platform, permission: 'order.rule.view' },
  { path: '/supplierSetup', title: '供应商设置', ...platform, permission: 'order.supplier.view' },
  { path: '/shieldAddCartGoodsConfig', title: '隐藏加购设置', ...platform, permission: 'order.shield.view' },
  { path: '/b2cOrder', title: 'B2C订单', ...passing, permission: 'order.order.view' },
  { path: '/bulkDelivery', title: '批量发货', ...passing, permission: 'order.fulfilment.ship' },
  { path: '/logistics', title: '物流查询', ...passing, permission: 'order.order.view' },
  {
    path: '/manualorders',
    title: '手工订单处理',
    trail: ['保险业务', '卡管理'],
    menu: '保险业务',
    left: 'insurance',
    kind: 'list',
    permission: 'order.manual.view',
  },
]);
