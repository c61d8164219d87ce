import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '保险业务';
const left = 'insurance' as const;

export const enrolmentRoutes = declareRoutes('enrolment', [
  {
    path: '/specialUser',
    title: 'HMO特殊用户标记',
    trail: [menu, '入组管理'],
    left,
    kind: 'list',
    menu,
    permission: 'enrolment.specialUser.view',
  },
  {
    path: '/updateSpecialUser',
    title: '编辑特殊用户',
    parent: 'specialUser',
    left,
    kind: 'form',
    permission: 'enrolment.specialUser.edit',
  },
  {
    path: '/signContract',
    title: '入组审核',
    trail: [menu, '入组管理'],
    left,
    kind: 'list',
    menu,
    permission: 'enrolment.apply.view',
  },
  {
    path: '/signContractDetail',
    title: '入组审核详情',
    parent: 'signContract',
    left,
    kind: 'audit',
    permission: 'enrolment.apply.view',
  },
  {
    path: '/signContractDetailSaas',
    title: '入组审核详情（SaaS）',
    parent: 'signContract',
    left,
    kind: 'audit',
    permission: 'enrolment.apply.view',
  },
  {
    path: '/hmoSignContractInfo',
    title: 'HMO入组审核详情',
    parent: 'signContract',
    left,
    kind: 'audit',
    permission: 'enrolment.apply.view',
  },
  {
    path: '/signContractList',
    title: '签约合同',
    trail: [menu, '入组管理'],
    left,
    kind: 'list',
    menu,
    permission: 'enrolment.contract.view',
  },
  {
    path: '/signContractListDetail',
    title: '签约合同详情',
    parent: 'signContractList',
    left,
    kind: 'detail',
    permission: 'enrolment.contract.view',
  },
  {
    path: '/signContractPayDetail',
    title: '签约支付详情',
    parent: 'signContractList',
    left,
    kind: 'detail',
    permission: 'enrolment.pay.view',
  },
]);
