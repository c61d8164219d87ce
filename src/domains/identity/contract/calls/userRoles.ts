import * as z from 'zod/mini';
import { declareService, nothing } from '#kernel/contract/service.ts';
import { day, id, opinion, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { assignmentStates } from '../dictionaries.ts';
import { dutyWarnings } from '../duties.ts';
import { identityPermissions as may } from '../permissions.ts';
import { assignmentInOrder } from './users.ts';
import { atOrNull, at, scopeIn, scopeOut } from './shared.ts';

const service = declareService('UserRoleService');

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

export const queryUserRoleList = service.list({
  operation: 'queryUserRoleList',
  label: '查询任职',
  access: may['user.view'],
  filter: { userId: field('用户', z.optional(id)), roleId: field('角色', z.optional(id)) },
  output: row,
});

/** Row by row: what is refused for one user does not stop the others. */
export const addUserRole = service.act({
  operation: 'addUserRole',
  label: '分配角色',
  access: may['user.edit'],
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
});

/** From when to when a role is held, as a changed assignment has to have it. */
export const assignmentTerms = z
  .object({ validFrom: field('生效日期', z.nullable(day)), validTo: field('失效日期', z.nullable(day)) })
  .check(assignmentInOrder);

export const modifyUserRole = service.act({
  operation: 'modifyUserRole',
  label: '修改任职',
  access: may['user.edit'],
  message: '修改成功!',
  input: {
    id,
    version,
    scope: z.optional(scopeIn),
    validFrom: field('生效日期', z.optional(day)),
    validTo: field('失效日期', z.optional(z.nullable(day))),
    state: field('状态', z.optional(assignmentStates.schema)),
  },
  output: z.strictObject({ ...row.shape, warnings: dutyWarnings }),
});

export const removeUserRole = service.act({
  operation: 'removeUserRole',
  label: '移除任职',
  access: may['user.edit'],
  message: '删除成功!',
  input: { id, version, opinion: z.optional(opinion) },
  output: nothing,
});
