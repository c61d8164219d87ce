import { declareRoutes } from '../../../kernel/contract/route.ts';
import { pharmaPermissions as may } from './permissions.ts';

const menu = '机构与药品';

export const pharmaRoutes = declareRoutes('pharma', [
  { path: '/agentList', title: '医药代表', trail: [menu], kind: 'list', menu, permission: may['agent.view'].code },
  { path: '/agentDetail', title: '医药代表详情', parent: 'agentList', kind: 'detail', permission: may['agent.view'].code },
  { path: '/pharmaceuticalEnterprises', title: '药企管理', trail: [menu], kind: 'list', menu, permission: may['company.view'].code },
  {
    path: '/pharmaceuticalEnterprisesProductLine',
    title: '药企产品线',
    trail: [menu],
    kind: 'list',
    menu,
    permission: may['line.view'].code,
  },
  { path: '/drugCategory', title: '药品分类', trail: [menu], kind: 'tool', menu, permission: may['category.view'].code },
  { path: '/medicineManagementTable', title: '药品管理', trail: [menu], kind: 'list', menu, permission: may['medicine.view'].code },
]);
