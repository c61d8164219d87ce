import { declareErrors } from '#kernel/contract/errors.ts';

/** Refusals about users and what is given to them. */
export const userErrors = declareErrors({
  USER_NAME_TAKEN: ['SCM01020', '用户名已存在'],
  MOBILE_TAKEN: ['SCM01021', '手机号已被{displayName}（{opNo}）使用'],
  SELF: ['SCM01022', '不能对本人执行该操作'],
  LAST_SUPER_ADMIN: ['SCM01023', '至少保留一个启用的超级管理员'],
  ROLE_CONFLICT: ['SCM01024', '角色“{a}”与“{b}”互斥，不能分配给同一用户'],
  CANNOT_GRANT: ['SCM01025', '不能授予您自己没有的管理权限：{names}'],
  VALIDITY_PAST: ['SCM01027', '账号有效期已过，请先调整有效期'],
  OPEN_WORK: ['SCM01028', '该用户仍有{n}项未完成工作，请确认后再办理离职'],
  DUTIES_OF_PERSON: ['SCM01038', '{name}不能同时拥有同一单据的经办与审核权限（{pairs}），请改分配给他人，或先移除其中一个角色'],
});
