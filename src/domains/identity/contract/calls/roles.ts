import * as z from 'zod/mini';
import { declareService, nothing } from '#kernel/contract/service.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { flag, id, opinion, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { risks } from '../dictionaries.ts';
import { dutyConflicts, dutyWarnings } from '../duties.ts';
import { identityPermissions as may } from '../permissions.ts';
import { roleStates } from '../states.ts';
import { at } from './shared.ts';

const service = declareService('RoleInfoService');
const permissionCode = text('权限编码', 100, 1);

const roleFacts = {
  id: z.string(),
  roleCode: field('角色编码', z.string()),
  name: field('角色名称', z.string()),
  description: field('说明', z.string()),
  builtin: field('内置', z.boolean()),
  state: roleStates.dictionary.schema,
  defaultRouteKey: textOrNull,
  version: z.number(),
  menuCount: field('菜单数', z.number()),
  permissionCount: field('权限数', z.number()),
  highCount: field('高危权限数', z.number()),
  userCount: field('用户数', z.number()),
  /** Pairs that the role joins by itself. */
  duties: dutyConflicts,
  updatedAt: field('修改时间', at),
  updatedByName: textOrNull,
};

export const queryRoleInfoList = service.list({
  operation: 'queryRoleInfoList',
  label: '查询角色',
  access: may['role.view'],
  filter: {
    ...sortedBy('roleCode', 'menuCount', 'permissionCount', 'highCount', 'userCount', 'updatedAt'),
    name: z.optional(text('角色名称', 20)),
    state: z.optional(roleStates.dictionary.schema),
    /** "Who may pay?" */
    permission: field('拥有权限', z.optional(permissionCode)),
    dutyConflict: field('职责冲突', z.optional(flag)),
  },
  output: z.strictObject(roleFacts),
});
export type Role = OutputOf<typeof queryRoleInfoList>;

const roleDetail = z.strictObject({
  ...roleFacts,
  menuIds: z.array(z.string()),
  permissions: z.array(z.strictObject({ code: z.string(), label: z.string(), risk: risks.schema })),
  users: z.array(z.strictObject({ userId: z.string(), displayName: z.string(), opNo: z.string(), userRoleId: z.string() })),
  conflicts: z.array(z.strictObject({ roleId: z.string(), name: z.string(), reason: z.string() })),
});
export const queryRoleInfoDetail = service.read({
  operation: 'queryRoleInfoDetail',
  label: '查询角色详情',
  access: may['role.view'],
  input: { id },
  output: roleDetail,
});

const roleBody = {
  name: text('角色名称', 20, 1),
  description: z._default(text('说明', 200), ''),
  menuIds: field('菜单', z.array(id, '请至少选择一个菜单').check(z.maxLength(500, '最多选择500个菜单'))),
  permissions: z.array(permissionCode, '请选择权限').check(z.maxLength(2000, '最多选择2000个权限')),
  defaultRouteKey: z.optional(z.nullable(text('首页', 100))),
  /** Demanded when HIGH permissions are added. */
  confirmHigh: field('高危权限确认', z._default(z.boolean(), false)),
};
const saved = z.strictObject({ role: roleDetail, addedHigh: z.array(z.string()), removed: z.array(z.string()), warnings: dutyWarnings });

export const addRoleInfo = service.act({
  operation: 'addRoleInfo',
  label: '新增角色',
  access: may['role.edit'],
  message: '新增成功!',
  input: {
    roleCode: field(
      '角色编码',
      z.optional(z.string().check(z.trim(), z.regex(/^[A-Z][A-Z0-9_]{2,31}$/, '角色编码为3-32位大写字母、数字或下划线，且以字母开头'))),
    ),
    ...roleBody,
  },
  output: saved,
});

export const modifyRoleInfo = service.act({
  operation: 'modifyRoleInfo',
  label: '修改角色',
  access: may['role.edit'],
  message: '修改成功!',
  input: {
    id,
    version,
    name: z.optional(roleBody.name),
    description: z.optional(text('说明', 200)),
    menuIds: field('菜单', z.optional(roleBody.menuIds)),
    permissions: z.optional(roleBody.permissions),
    defaultRouteKey: roleBody.defaultRouteKey,
    confirmHigh: field('高危权限确认', roleBody.confirmHigh),
    action: field('操作', z.optional(z.enum(['disable', 'enable'], '操作不正确'))),
    opinion: z.optional(opinion),
  },
  output: saved,
});

/** Copies menus, permissions and first page under a new name. */
export const copyRoleInfo = service.act({
  operation: 'copyRoleInfo',
  label: '复制角色',
  access: may['role.edit'],
  message: '添加成功!',
  input: { id, name: roleBody.name, description: z.optional(text('说明', 200)), confirmHigh: field('高危权限确认', roleBody.confirmHigh) },
  output: saved,
});

export const removeRoleInfo = service.act({
  operation: 'removeRoleInfo',
  label: '删除角色',
  access: may['role.remove'],
  message: '删除成功!',
  input: { id, version },
  output: nothing,
});

export const queryRoleConflictList = service.list({
  operation: 'queryRoleConflictList',
  label: '查询互斥规则',
  access: may['role.edit'],
  filter: { roleId: field('角色', z.optional(id)) },
  output: z.strictObject({
    id: z.string(),
    roleAId: z.string(),
    roleAName: z.string(),
    roleBId: z.string(),
    roleBName: z.string(),
    reason: z.string(),
    createdAt: at,
  }),
});

export const addRoleConflict = service.act({
  operation: 'addRoleConflict',
  label: '新增互斥规则',
  access: may['role.edit'],
  message: '新增成功!',
  input: { roleAId: field('角色', id), roleBId: field('互斥角色', id), reason: text('互斥原因', 200, 1) },
  output: z.strictObject({ id: z.string() }),
});

export const removeRoleConflict = service.act({
  operation: 'removeRoleConflict',
  label: '删除互斥规则',
  access: may['role.edit'],
  message: '删除成功!',
  input: { id },
  output: nothing,
});

/** Roles × permissions, for auditors. */
export const exportRoleMatrix = service.file({
  operation: 'exportRoleMatrix',
  label: '导出权限矩阵',
  access: may['role.view'],
  log: 'EXPORT',
  input: { ...exportFields },
  output: exportQueued,
});
