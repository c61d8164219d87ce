import { declarePermissions } from '#kernel/contract/permission.ts';

const routes = ['amisPageV1'];

/** Rights of lowcode; equal to docs/design/permissions.csv. Those of single pages (`lowcode.open.{token}`) come with the pages. */
export const lowcodePermissions = declarePermissions('lowcode', {
  'page.view': { label: '查看低代码页面配置', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes },
  'page.edit': { label: '编辑低代码页面', roles: 'SYS_ADMIN', routes },
  'page.publish': {
    label: '发布、回滚、下线低代码页面',
    risk: 'HIGH',
    roles: 'SEC_ADMIN',
    routes,
    decides: { document: '低代码页面', of: ['page.edit'] },
  },
  'page.remove': { label: '删除低代码页面', risk: 'HIGH', roles: 'SYS_ADMIN', routes },
});

/** A page's own right. */
export const openPermission = (token: string) => `lowcode.open.${token}`;
