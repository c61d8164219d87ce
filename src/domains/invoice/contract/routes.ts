import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '保险业务';

export const invoiceRoutes = declareRoutes('invoice', [
  {
    path: '/invoice',
    title: '开票付款',
    trail: [menu, '订单与开票'],
    menu,
    left: 'insurance',
    kind: 'list',
    permission: 'invoice.payment.view',
  },
]);
