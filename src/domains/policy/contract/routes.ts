import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '保险业务';
const left = 'insurance';
const premium = 'policy.premium.view';

export const policyRoutes = declareRoutes('policy', [
  { path: '/policyManage', title: '保单查询', trail: [menu, '产品与保单'], left, kind: 'list', menu, permission: 'policy.policy.view' },
  {
    path: '/inventoryListManagement',
    title: '被保人清单管理',
    trail: [menu, '理赔管理'],
    left,
    kind: 'list',
    menu,
    permission: 'policy.batch.view',
  },
  {
    path: '/insurancePremiumOrderInquiry',
    title: '保费订单查询',
    trail: [menu, '理赔管理'],
    left,
    kind: 'list',
    menu,
    permission: premium,
  },
  {
    path: '/insurancePremiumOrderAudit',
    title: '保费订单审核',
    parent: 'insurancePremiumOrderInquiry',
    left,
    kind: 'audit',
    permission: premium,
  },
  {
    path: '/abnormalPolicyData',
    title: '异常保单数据',
    trail: [menu, '理赔管理'],
    left,
    kind: 'list',
    menu,
    permission: 'policy.abnormal.view',
  },
  {
    path: '/queryTable',
    title: '保费信息导出',
    trail: [menu, '理赔管理'],
    left,
    kind: 'tool',
    menu,
    permission: 'policy.query.view',
  },
]);
