import { declareRoutes } from '#kernel/contract/route.ts';

const top = ['系统管理'];

/** Pages of identity; equal to docs/design/routes.csv and menus.md. */
export const identityRoutes = declareRoutes('identity', [
  { path: '/', title: '首页', kind: 'layout' },
  { path: '/login', title: '登录', kind: 'public' },
  { path: '/loginCode', title: '验证码登录', kind: 'public' },
  { path: '/editUsePwd', title: '重置密码', kind: 'public' },
  { path: '/noentry', title: '暂无权限', kind: 'public' },
  { path: '/userManagement', title: '用户管理', trail: top, kind: 'list', menu: '系统管理', permission: 'identity.user.view' },
  { path: '/roleManagement', title: '角色管理', trail: top, kind: 'list', menu: '系统管理', permission: 'identity.role.view' },
  { path: '/editRole', title: '编辑角色', parent: 'roleManagement', kind: 'form', permission: 'identity.role.edit' },
  { path: '/menuManagement', title: '菜单管理', trail: top, kind: 'tool', menu: '系统管理', permission: 'identity.menu.view' },
  { path: '/operationLog', title: '操作日志', trail: top, kind: 'list', menu: '系统管理', permission: 'identity.log.view' },
  { path: '/systemStatus', title: '系统状态', trail: top, kind: 'tool', menu: '系统管理', permission: 'identity.status.view' },
  { path: '*', title: '页面不存在', kind: 'public' },
]);
