import * as z from 'zod/mini';
import { nothing } from '#kernel/contract/service.ts';
import { access, call } from '#kernel/contract/call.ts';
import { day, id, opinion, paging, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { assignmentStates } from '../dictionaries.ts';
import { dutyWarnings } from '../duties.ts';
import { identityPermissions as may } from '../permissions.ts';
import { assignmentInOrder } from './users.ts';
import { atOrNull, at, scopeIn, scopeOut } from './shared.ts';

const service = 'UserRoleService';

const row = z.strictObject({
  id: z.string(),
  userId: z.string(),
  displayName: z.string(),
  opNo: z.string(),
  roleId: z.string(),
  roleCode: z.string(),
  roleName: z.string(),
  scope: scopeOut,
  scopeText: z.string(),
  validFrom: at,
  validTo: atOrNull,
  state: assignmentStates.schema,
  version: z.number(),
});

export const queryUserRoleList = call({
  host: 'admin',
  service,
  operation: 'queryUserRoleList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({ ...paging, userId: field('用户', z.optional(id)), roleId: field('角色', z.optional(id)) }),
  output: row,
  access: access.permission(may['user.view']),
  label: '查询任职',
});

/** Row by row: what is refused for one user does not stop the others. */
export const addUserRole = call({
  host: 'admin',
  service,
  operation: 'addUserRole',
  shape: 'data',
  kind: 'command',
  message: '分配完成',
  input: z
    .strictObject({
      userIds: field('用户', z.array(id, '请选择用户').check(z.minLength(1, '请选择用户'), z.maxLength(100, '一次最多分配100名用户'))),
      roleId: field('角色', id),
      scope: z._default(scopeIn, { own: false, region: null, insurer: null, channel: null }),
      validFrom: field('生效日期', z.optional(z.nullable(day))),
      validTo: field('失效日期', z.optional(z.nullable(day))),
    })
    .check(assignmentInOrder),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        userId: z.string(),
        ok: z.boolean(),
        userRoleId: z.nullable(z.string()),
        code: z.string(),
        message: z.string(),
        warnings: dutyWarnings,
      }),
    ),
  }),
  access: access.permission(may['user.edit']),
  label: '分配角色',
});

/** From when to when a role is held, as a changed assignment has to have it. */
export const assignmentTerms = z
  .object({ validFrom: field('生效日期', z.nullable(day)), validTo: field('失效日期', z.nullable(day)) })
  .check(assignmentInOrder);

export const modifyUserRole = call({
  host: 'admin',
  service,
  operation: 'modifyUserRole',
  shape: 'data',
  kind: 'command',
  message: '修改成功!',
  input: z.strictObject({
    id,
    version,
    scope: z.optional(scopeIn),
    validFrom: field('生效日期', z.optional(day)),
    validTo: field('失效日期', z.optional(z.nullable(day))),
    state: field('状态', z.optional(assignmentStates.schema)),
  }),
  output: z.strictObject({ ...row.shape, warnings: dutyWarnings }),
  access: access.permission(may['user.edit']),
  label: '修改任职',
});

export const removeUserRole = call({
  host: 'admin',
  service,
  operation: 'removeUserRole',
  shape: 'data',
  kind: 'command',
  message: '删除成功!',
  input: z.strictObject({ id, version, opinion: z.optional(opinion) }),
  output: nothing,
  access: access.permission(may['user.edit']),
  label: '移除任职',
});
