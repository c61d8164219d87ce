import { declarePermissions } from '#kernel/contract/permission.ts';

const user = ['userManagement'];
const role = ['roleManagement'];
const menu = ['menuManagement'];
const log = ['operationLog'];

/** Rights of identity; label, risk and default roles equal docs/design/permissions.csv. */
export const identityPermissions = declarePermissions('identity', {
  'user.view': { label: '查看员工用户', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: user },
  'user.edit': { label: '新增、修改、停用员工用户并分配任职', risk: 'HIGH', roles: 'SYS_ADMIN', routes: user },
  'user.remove': { label: '办理员工离职', risk: 'HIGH', roles: 'SYS_ADMIN', routes: user },
  'user.resetPwd': { label: '重置员工密码', risk: 'HIGH', roles: 'SYS_ADMIN', routes: user },
  'user.unlock': { label: '解锁员工账号', roles: 'SYS_ADMIN|SEC_ADMIN', routes: user },
  'user.export': { label: '导出员工用户', roles: 'AUDITOR|SYS_ADMIN', routes: user },
  'user.reveal': { label: '查看员工手机号明文', risk: 'HIGH', roles: 'SYS_ADMIN', routes: user },
  'session.view': { label: '查看在线会话', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: user },
  'session.kick': { label: '强制下线', risk: 'HIGH', roles: 'SYS_ADMIN|SEC_ADMIN', routes: user },
  'role.view': { label: '查看角色', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: role },
  'role.edit': { label: '新增、修改、停用角色与互斥规则', risk: 'HIGH', roles: 'SYS_ADMIN', routes: role },
  'role.remove': { label: '删除角色', risk: 'HIGH', roles: 'SYS_ADMIN', routes: role },
  'menu.view': { label: '查看菜单与权限目录', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: menu },
  'menu.edit': { label: '维护菜单', roles: 'SYS_ADMIN', routes: menu },
  'log.view': { label: '查看操作日志', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: log },
  'log.export': { label: '导出操作日志', risk: 'HIGH', roles: 'AUDITOR|SYS_ADMIN', routes: log },
  'log.verify': { label: '校验日志链', roles: 'AUDITOR', routes: log },
  'loginLog.view': { label: '查看登录日志', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: log },
  'policy.view': { label: '查看安全策略', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: user },
  'policy.edit': { label: '修改安全策略', risk: 'HIGH', roles: 'SEC_ADMIN', routes: user },
  'notice.publish': { label: '发布系统公告', roles: 'SYS_ADMIN', routes: menu },
  'apiClient.view': { label: '查看系统调用方', roles: 'AUDITOR|SYS_ADMIN|SEC_ADMIN', routes: user },
  'apiClient.edit': { label: '维护系统调用方与密钥', risk: 'HIGH', roles: 'SEC_ADMIN', routes: user },
  'calendar.edit': { label: '维护工作日历', roles: 'SYS_ADMIN', routes: menu },
  'sms.view': { label: '查看开发短信箱', risk: 'HIGH', roles: 'AUDITOR|SYS_ADMIN', routes: log },
  'job.view': { label: '查看失败的后台任务', roles: 'AUDITOR|SYS_ADMIN', routes: log },
  'job.retry': { label: '重试失败的后台任务', roles: 'SYS_ADMIN', routes: log },
  'status.view': { label: '查看系统状态', roles: 'AUDITOR|SYS_ADMIN', routes: ['systemStatus'] },
});
