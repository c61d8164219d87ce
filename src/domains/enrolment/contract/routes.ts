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
]);
