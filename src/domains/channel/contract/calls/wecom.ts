import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, idOut, instantOut, several, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { corpModes, memberStatuses, syncKinds, syncStates, syncTriggers } from '../dictionaries.ts';
import { channelPermissions as may } from '../permissions.ts';
import { bindStates, corpStates } from '../states.ts';
import { moveFields } from './shared.ts';

const service = declareService('WeChatWorkService');
const view = may['wecom.view'];

const corpRow = z.strictObject({
  id: idOut,
  corpId: z.string(),
  name: z.string(),
  mode: corpModes.schema,
  callbackUrl: z.string(),
  state: corpStates.dictionary.schema,
  lastErrcode: z.nullable(z.int()),
  lastError: z.nullable(z.string()),
  version: z.int(),
  /** Secrets are never read: only whether they are there. */
  configured: z.strictObject({ contactSecret: z.boolean(), callbackToken: z.boolean(), encodingAesKey: z.boolean() }),
  quota: z.strictObject({ used: z.int(), total: z.int() }),
  members: z.int(),
  bound: z.int(),
  lastSyncAt: z.nullable(z.string()),
  apps: z.array(
    z.strictObject({
      id: idOut,
      agentId: z.string(),
      name: z.string(),
      homeUrl: z.nullable(z.string()),
      state: z.string(),
      configured: z.boolean(),
    }),
  ),
});
export type CorpRow = z.output<typeof corpRow>;
export const queryCorpList = service.list({ operation: 'queryCorpList', label: '查询企业', access: view, filter: {}, output: corpRow });

const secret = (label: string) => z.optional(text(label, 200));
export const saveCorp = service.act({
  operation: 'saveCorp',
  label: '维护企业微信企业',
  access: may['wecom.admin'],
  secrets: ['contactSecret', 'callbackToken', 'encodingAesKey'],
  input: {
    id: z.optional(id),
    version: z.optional(version),
    corpId: field(
      '企业ID',
      z.string().check(z.trim(), z.maxLength(64, '企业ID最多64个字符'), z.regex(/^[A-Za-z0-9_-]{4,64}$/, '企业ID格式不正确')),
    ),
    name: text('企业名称', 40, 1),
    mode: field('接入方式', corpModes.schema),
    contactSecret: secret('客户联系Secret'),
    callbackToken: secret('回调Token'),
    encodingAesKey: secret('EncodingAESKey'),
  },
  output: z.strictObject({ id: idOut, version: z.int() }),
});
export const testCorp = service.act({
  operation: 'testCorp',
  label: '测试连接企业微信',
  access: may['wecom.admin'],
  input: { id },
  output: z.strictObject({ id: idOut, state: z.string(), version: z.int() }),
});
export const changeCorpState = service.act({
  operation: 'changeCorpState',
  label: '停用、启用企业',
  access: may['wecom.admin'],
  input: { ...moveFields, action: field('操作', z.enum(['disable', 'enable'], '操作不正确')) },
  output: actionAnswer,
});
export const saveCorpApp = service.act({
  operation: 'saveCorpApp',
  label: '维护企业应用',
  access: may['wecom.admin'],
  secrets: ['secret'],
  input: {
    corpRowId: field('企业', id),
    agentId: field('AgentId', z.string().check(z.maxLength(12, 'AgentId最多12位'), z.regex(/^\d+$/, 'AgentId须为数字'))),
    name: text('应用名称', 40, 1),
    homeUrl: field(
      '应用主页',
      z._default(
        z.nullable(z.string().check(z.maxLength(290, '应用主页最多290个字符'), z.regex(/^https:\/\/\S+$/, '主页须以https://开头'))),
        null,
      ),
    ),
    state: field('状态', z.enum(['ENABLED', 'DISABLED'], '状态不正确')),
    secret: secret('应用Secret'),
  },
  output: z.strictObject({ id: idOut }),
});

const memberRow = z.strictObject({
  id: idOut,
  corpRowId: idOut,
  corpName: field('企业', z.string()),
  wecomUserId: field('账号', z.string()),
  name: field('成员', z.string()),
  mobile: field('手机号', z.nullable(z.string())),
  departmentNames: field('部门', z.array(z.string()), { width: 240 }),
  status: field('激活状态', z.int(), { text: (status) => memberStatuses.label(String(status)) }),
  canContact: field('客户联系权限', z.boolean()),
  staffUserId: z.nullable(idOut),
  staffName: field('绑定员工', z.nullable(z.string())),
  assistantName: field('医助', z.nullable(z.string())),
  bindState: field('绑定状态', bindStates.dictionary.schema),
  boundAt: field('绑定时间', z.nullable(instantOut)),
  contactCount: field('客户数', z.int()),
  version: z.int(),
});
export type MemberRow = z.output<typeof memberRow>;
const memberFilters = {
  corpId: field('企业', z.optional(id)),
  name: z.optional(text('成员', 40)),
  bindState: field('绑定状态', z.optional(several(bindStates.dictionary.schema))),
  status: field('激活状态', z.optional(several(memberStatuses.schema))),
};
export const queryMemberList = service.list({
  operation: 'queryMemberList',
  label: '查询企业微信成员',
  access: view,
  filter: { ...sortedBy('wecomUserId', 'boundAt'), ...memberFilters },
  output: memberRow,
});
export const exportMemberList = exportOf(queryMemberList, {
  operation: 'exportMemberList',
  label: '导出企业微信成员',
  access: view,
});
const bindAccess = may['wecom.bind'];
export const bindMember = service.act({
  operation: 'bindMember',
  label: '绑定成员',
  access: bindAccess,
  input: { memberId: field('企微成员', id), staffUserId: field('员工', id) },
  output: actionAnswer,
});
export const unbindMember = service.act({
  operation: 'unbindMember',
  label: '解绑成员',
  access: bindAccess,
  input: { memberId: field('企微成员', id) },
  output: actionAnswer,
});
export const autoBindMember = service.act({
  operation: 'autoBindMember',
  label: '自动绑定成员',
  access: bindAccess,
  input: { corpRowId: field('企业', id), dryRun: field('仅预览', z._default(z.boolean(), false)) },
  output: z.array(z.strictObject({ memberId: idOut, memberName: z.string(), staffUserId: idOut, staffName: z.string() })),
});
export const syncWeChatWork = service.act({
  operation: 'syncWeChatWork',
  label: '同步企业微信',
  access: may['wecom.sync'],
  input: { corpRowId: field('企业', id), kind: field('同步内容', syncKinds.schema) },
  output: z.strictObject({ id: idOut }),
});
const runRow = z.strictObject({
  id: idOut,
  corpName: field('企业', z.string()),
  corpRowId: idOut,
  kind: field('类型', syncKinds.schema),
  trigger: field('触发', syncTriggers.schema),
  total: field('总数', z.int()),
  done: field('已处理', z.int()),
  added: field('新增', z.int()),
  changed: field('变更', z.int()),
  removed: field('移除', z.int()),
  errors: field('错误', z.array(z.strictObject({ ref: z.string(), errcode: z.int(), errmsg: z.string() })), {
    width: 320,
    text: (faults) => faults.map(({ ref, errcode, errmsg }) => `${ref} ${errmsg}（${errcode}）`).join('；'),
  }),
  state: field('状态', syncStates.schema),
  startedAt: field('开始时间', instantOut),
  endedAt: field('结束时间', z.nullable(instantOut)),
});
export type SyncRunRow = z.output<typeof runRow>;
const runFilters = {
  corpId: field('企业', z.optional(id)),
  kind: field('类型', z.optional(syncKinds.schema)),
  state: field('状态', z.optional(several(syncStates.schema))),
};
export const querySyncRunList = service.list({
  operation: 'querySyncRunList',
  label: '查询同步记录',
  access: view,
  filter: { ...sortedBy('startedAt'), ...runFilters },
  output: runRow,
});
export const exportSyncRunList = exportOf(querySyncRunList, {
  operation: 'exportSyncRunList',
  label: '导出同步记录',
  access: view,
});
