import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '机构与药品';

export const pharmaRoutes = declareRoutes('pharma', [
  { path: '/agentList', title: '医药代表', trail: [menu], kind: 'list', menu, permission: 'pharma.agent.view' },
  { path: '/agentDetail', title: '医药代表详情', parent: 'agentList', kind: 'detail', permission: 'pharma.agent.view' },
  { path: '/pharmaceuticalEnterprises', title: '药企管理', trail: [menu], kind: 'list', menu, permission: 'pharma.company.view' },
  {
    path: '/pharmaceuticalEnterprisesProductLine',
    title: '药企产品线',
    trail: [menu],
    kind: 'list',
    menu,
    permission: 'pharma.line.view',
  },
  { path: '/drugCategory', title: '药品分类', trail: [menu], kind: 'tool', menu, permission: 'pharma.category.view' },
  { path: '/medicineManagementTable', title: '药品管理', trail: [menu], kind: 'list', menu, permission: 'pharma.medicine.view' },
]);
