import { declareRoutes } from '../../../kernel/contract/route.ts';

const menu = '保险业务';
const left = 'insurance';

export const policyRoutes = declareRoutes('policy', [
  { path: '/policyManage', title: '保单查询', trail: [menu, '产品与保单'], left, kind: 'list', menu, permission: 'policy.policy.view' },
]);
