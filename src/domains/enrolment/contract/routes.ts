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
  { path: '/updateSpecialUser', title: '编辑特殊用户', parent: 'specialUser', left, kind: 'form', permission: 'enrolment.specialUser.edit' },
  {
    path: '/signContract',
    title: '入组审核',
    trail: [menu, '入组管理'],
    left,
    kind: 'list',
    menu,
    permission: 'enrolment.apply.view',
  },
  { path: '/signContractDetail', title: '入组审核详情', parent: 'signContract', left, kind: 'audit', permission: 'enrolment.apply.view' },
  {
    path: '/signContractDetailSaas',
    title: '入组审核详情（SaaS）',
    parent: 'signContract',
    left,
    kind: 'audit',
    permission: 'enrolment.apply.view',
  },
  { path: '/hmoSignContractInfo', title: 'HMO入组审核详情', parent: 'signContract', left, kind: 'audit', permission: 'enrolment.apply.view' },
]);
