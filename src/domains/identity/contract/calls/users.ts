import * as z from 'zod/mini';
import { declareService, nothing } from '#kernel/contract/service.ts';
import { between, ordered } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  flag,
  id,
  instant,
  instantOut,
  opinion,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { employers } from '../dictionaries.ts';
import { dutyConflicts, dutyWarnings } from '../duties.ts';
import { identityPermissions as may } from '../permissions.ts';
import { staffUserStates } from '../states.ts';
import { at, atOrNull, mobile, scopeIn, scopeOut } from './shared.ts';

const service = declareService('UserInfoService');

const userFilter = {
  userName: z.optional(text('用户名', 64)),
  displayName: z.optional(personName('姓名', 20)),
  opNo: z.optional(wholeText('工号', 10)),
  /** Exact. */
  mobile: z.optional(text('手机号', 20)),
  departmentName: z.optional(text('部门', 50)),
  roleId: field('角色', z.optional(id)),
  state: z.optional(several(staffUserStates.dictionary.schema)),
  employer: field('用工类型', z.optional(employers.schema)),
  lastLoginFrom: field('最近登录起', z.optional(instant)),
  lastLoginTo: field('最近登录止', z.optional(instant)),
  neverLoggedIn: field('从未登录', z.optional(flag)),
  validBefore: field('有效期早于', z.optional(day)),
  dutyConflict: field('职责冲突', z.optional(flag)),
};

const assignmentView = z.strictObject({
  id: z.string(),
  roleId: z.string(),
  roleCode: z.string(),
  roleName: z.string(),
  scope: scopeOut,
  /** The scope in words, as the header shows it. */
  scopeText: z.string(),
  validFrom: at,
  validTo: atOrNull,
  state: z.string(),
  version: z.number(),
});

const userView = z.strictObject({
  id: z.string(),
  userName: field('用户名', z.string()),
  displayName: field('姓名', z.string()),
  opNo: field('工号', z.string()),
  /** Masked. */
  mobile: field('手机号', textOrNull, { mask: 'mobile' }),
  email: textOrNull,
  departmentName: field('部门', textOrNull),
  postName: field('岗位', textOrNull),
  employer: field('用工类型', employers.schema),
  validFrom: field('有效期起', z.nullable(dayOut)),
  validTo: field('有效期止', z.nullable(dayOut)),
  state: field('状态', staffUserStates.dictionary.schema),
  disabledReason: textOrNull,
  leftOn: atOrNull,
  /** A timed lock after wrong passwords stands until then. */
  lockedUntil: atOrNull,
  mustChangePassword: z.boolean(),
  lastLoginAt: field('最近登录', z.nullable(instantOut)),
  lastLoginIp: field('最近登录IP', textOrNull),
  createdAt: field('创建时间', instantOut),
  version: z.number(),
  roles: field('角色', z.array(assignmentView), {
    width: 320,
    text: (roles) =>
      roles
        .filter(({ state }) => state === 'ENABLED')
        .map(({ roleName, scopeText }) => `${roleName}（${scopeText}）`)
        .join('；'),
  }),
  /** Pairs that all his roles join on one day, today or later. */
  duties: dutyConflicts,
});
export type UserView = z.output<typeof userView>;

export const queryUserInfoList = service.list({
  operation: 'queryUserInfoList',
  label: '查询员工用户',
  access: may['user.view'],
  filter: { ...userFilter, id: z.optional(id), ...sortedBy('opNo', 'userName', 'displayName', 'lastLoginAt', 'createdAt') },
  output: userView,
});

const person = {
  displayName: personName('姓名', 20, 1),
  mobile: z.optional(z.nullable(mobile)),
  email: field(
    '邮箱',
    z.optional(
      z.nullable(
        z.string().check(z.trim(), z.maxLength(100, '邮箱最多100个字符'), z.regex(/^$|^[^\s@]+@[^\s@]+\.[^\s@]+$/, '请输入正确的邮箱')),
      ),
    ),
  ),
  departmentName: z.optional(z.nullable(text('部门', 50))),
  postName: z.optional(z.nullable(text('岗位', 50))),
  employer: field('用工类型', employers.schema),
  validFrom: field('有效期起', z.optional(z.nullable(day))),
  validTo: field('有效期至', z.optional(z.nullable(day))),
};
const betweenTerms = [
  ordered('validFrom', 'validTo', '有效期至不能早于有效期起'),
  between<{ employer: string; validTo?: string | null | undefined }>(
    ['employer', 'validTo'],
    ({ employer, validTo }) => employer !== 'OUTSOURCE' || !!validTo,
    '外包人员必须填写有效期',
  ),
] as const;
/** For whom and how long somebody works here, as a changed record has to have it. */
export const personTerms = z
  .object({ employer: person.employer, validFrom: person.validFrom, validTo: person.validTo })
  .check(...betweenTerms);

export const assignmentInOrder = ordered('validFrom', 'validTo', '失效日期不能早于生效日期');
export const newAssignment = z
  .strictObject({
    roleId: field('角色', id),
    scope: z._default(scopeIn, { own: false, region: null, insurer: null, channel: null }),
    validFrom: field('生效日期', z.optional(z.nullable(day))),
    validTo: field('失效日期', z.optional(z.nullable(day))),
  })
  .check(assignmentInOrder);

export const addUserInfo = service.act({
  operation: 'addUserInfo',
  label: '新增员工用户',
  access: may['user.edit'],
  message: '新增成功!',
  secretOutput: true,
  input: z
    .strictObject({
      userName: field(
        '用户名',
        z
          .string('请输入用户名')
          .check(
            z.trim(),
            z.maxLength(32, '用户名最多32位'),
            z.regex(/^[a-zA-Z][a-zA-Z0-9_.]{3,31}$/, '用户名为4-32位字母、数字、下划线或点，且以字母开头'),
          ),
      ),
      ...person,
      roles: field(
        '角色',
        z.array(newAssignment, '请至少分配一个角色').check(z.minLength(1, '请至少分配一个角色'), z.maxLength(20, '最多分配20个角色')),
      ),
    })
    .check(...betweenTerms),
  output: z.strictObject({ id: z.string(), opNo: z.string(), tempPassword: z.string(), warnings: dutyWarnings }),
});

export const modifyUserInfo = service.act({
  operation: 'modifyUserInfo',
  label: '修改员工用户',
  access: access.byAction('action', { unlock: may['user.unlock'] }, may['user.edit']),
  message: '修改成功!',
  input: {
    id,
    version,
    displayName: z.optional(person.displayName),
    mobile: person.mobile,
    email: field('邮箱', person.email),
    departmentName: person.departmentName,
    postName: person.postName,
    employer: field('用工类型', z.optional(person.employer)),
    validFrom: field('有效期起', person.validFrom),
    validTo: field('有效期至', person.validTo),
    action: field('操作', z.optional(z.enum(['disable', 'enable', 'unlock'], '操作不正确'))),
    opinion: z.optional(opinion),
  },
  output: userView,
});

/** With SCM01028: what somebody leaves undone, by its kind. */
export const openWorkFacts = z.strictObject({ openWork: z.array(z.strictObject({ label: z.string(), count: z.number() })) });
export const removeUserInfo = service.act({
  operation: 'removeUserInfo',
  label: '办理离职',
  access: may['user.remove'],
  message: '办理离职成功!',
  input: { id, version, opinion, confirmOpenWork: field('未完成工作确认', z._default(z.boolean(), false)) },
  output: nothing,
});

export const resetUserPassword = service.act({
  operation: 'resetUserPassword',
  label: '重置员工密码',
  access: may['user.resetPwd'],
  log: 'AUTH',
  input: { id, version, opinion },
  output: z.strictObject({ tempPassword: z.string() }),
});

export const queryChecker = service.read({
  operation: 'queryChecker',
  label: '查询审核人',
  access: access.session,
  input: {
    permission: text('权限编码', 100, 1),
    keyword: z.optional(text('关键字', 20)),
    scopeOf: field('数据对象', z.optional(z.strictObject({ targetType: text('对象类型', 50, 1), targetId: field('对象', id) }))),
  },
  output: z.array(
    z.strictObject({
      userId: z.string(),
      displayName: z.string(),
      opNo: z.string(),
      roleName: z.string(),
      openCount: z.optional(z.number()),
    }),
  ),
});

export const getUserInfoByMobile = service.read({
  operation: 'getUserInfoByMobile',
  label: '按手机号查询员工',
  access: may['user.view'],
  input: { mobile },
  output: z.nullable(
    z.strictObject({
      userId: z.string(),
      displayName: z.string(),
      opNo: z.string(),
      state: staffUserStates.dictionary.schema,
    }),
  ),
});

export const revealUserMobile = service.act({
  operation: 'revealUserMobile',
  label: '查看员工手机号',
  access: may['user.reveal'],
  log: 'REVEAL',
  input: { id, reason: z.optional(text('查看原因', 200)) },
  output: z.strictObject({ mobile: textOrNull }),
});

export const importUserInfo = service.act({
  operation: 'importUserInfo',
  label: '导入员工用户',
  access: may['user.edit'],
  log: 'IMPORT',
  input: { fileId: field('导入文件', id) },
  output: z.strictObject({ importTaskId: z.string(), batchNo: z.string() }),
});

export const exportUserInfoList = exportOf(queryUserInfoList, {
  operation: 'exportUserInfoList',
  label: '导出员工用户',
  access: may['user.export'],
});

export const queryUserTrail = service.read({
  operation: 'queryUserTrail',
  label: '查询员工用户轨迹',
  access: may['user.view'],
  input: { id },
  output: trail,
});
