import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { day, dayOut, id, idOut, instantOut, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { corpusPermissions as may } from '../permissions.ts';
import { autoActions, autoKind, autoMachine, autoScope, autoTrigger, quietMode } from './dictionaries.ts';

const service = declareService('WelcomeMessageService');
const mayView = may['corpus.view'];
const mayEdit = may['welcome.edit'];
const state = autoMachine.dictionary.schema;

const welcomeRow = z.strictObject({
  id: idOut,
  kind: autoKind.schema,
  name: field('名称', z.string(), { width: 160 }),
  triggerType: field('触发时机', autoTrigger.schema, { width: 120 }),
  scopeType: autoScope.schema,
  scopeId: z.nullable(idOut),
  /** `渠道：南山药房`. */
  scope: field('适用范围', z.string(), { width: 150 }),
  materialIds: z.array(z.string()),
  summary: field('内容摘要', z.string(), { width: 130 }),
  delaySec: z.int(),
  delay: field('延时', z.string(), { width: 64 }),
  quietMode: field('发送时段', quietMode.schema, { width: 120 }),
  smsText: textOrNull,
  validFrom: z.nullable(dayOut),
  validTo: z.nullable(dayOut),
  valid: field('有效期', z.string(), { width: 200 }),
  recent: field('近30天发送/回复率', z.string(), { width: 150 }),
  state: field('状态', state, { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
  allowedActions: actionsOf(autoMachine),
});
export type WelcomeRow = z.output<typeof welcomeRow>;

export const queryWelcomeMessageList = service.list({
  operation: 'queryWelcomeMessageList',
  label: '查询自动消息',
  access: mayView,
  filter: {
    ...sortedBy('delay', 'updatedAt'),
    kind: field('类型', z.optional(autoKind.schema)),
    name: z.optional(text('名称', 32)),
    triggerType: field('触发时机', z.optional(several(autoTrigger.schema))),
    scopeType: field('适用范围', z.optional(several(autoScope.schema))),
    state: field('状态', z.optional(several(state))),
  },
  output: welcomeRow,
});
export const exportWelcomeMessageList = exportOf(queryWelcomeMessageList, {
  operation: 'exportWelcomeMessageList',
  label: '导出自动消息',
  access: may['corpus.export'],
});

export const queryWelcomeMessageDetail = service.read({
  operation: 'queryWelcomeMessageDetail',
  label: '查询自动消息详情',
  access: mayView,
  input: { id },
  output: z.strictObject({ message: welcomeRow, timeline: trail }),
});

const fields = {
  name: text('名称', 32, 1),
  triggerType: field('触发时机', autoTrigger.schema),
  scopeType: field('适用范围', autoScope.schema),
  scopeId: field('适用对象', z.optional(z.nullable(id))),
  /** More than three are refused by name. */
  materialIds: field('消息素材', z.array(id).check(z.minLength(1, '请选择素材'), z.maxLength(20, '素材过多'))),
  delaySec: field(
    '延时（秒）',
    z._default(z.int('延时不正确').check(z.minimum(0, '延时须为0至60秒'), z.maximum(60, '延时须为0至60秒')), 0),
  ),
  quietMode: field('发送时段', quietMode.schema),
  smsText: z.optional(z.nullable(text('短信内容', 70))),
  validFrom: field('有效期起', z.optional(z.nullable(day))),
  validTo: field('有效期止', z.optional(z.nullable(day))),
};
const saved = z.strictObject({ id: idOut, version: z.int() });

export const addWelcomeMessage = service.act({
  operation: 'addWelcomeMessage',
  label: '新增自动消息',
  access: mayEdit,
  message: '新增成功!',
  input: { kind: field('类型', autoKind.schema), ...fields },
  output: saved,
});

/** The kind stays; what is in use or being judged cannot be written anew. */
export const modifyWelcomeMessage = service.act({
  operation: 'modifyWelcomeMessage',
  label: '修改自动消息',
  access: mayEdit,
  message: '修改成功!',
  input: { id, version, ...fields },
  output: saved,
});

export const delWelcomeMessage = service.act({
  operation: 'delWelcomeMessage',
  label: '删除自动消息',
  access: mayEdit,
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({}),
});

export const auditWelcomeMessage = service.act({
  operation: 'auditWelcomeMessage',
  label: '提交、审核、停用、启用自动消息',
  access: access.byAction(
    'action',
    { approve: may['welcome.audit'], reject: may['welcome.audit'], enable: may['welcome.audit'] },
    may['welcome.edit'],
  ),
  message: '操作成功!',
  input: { id, version, action: field('操作', z.enum(autoActions, '操作不正确')), opinion: z.optional(opinion) },
  output: actionAnswer,
});

/** 命中测试: which of the messages in use would be sent, and why the others would not. Writes nothing. */
export const resolveWelcomeMessage = service.read({
  operation: 'resolveWelcomeMessage',
  label: '自动消息命中测试',
  access: mayView,
  input: {
    triggerType: field('触发时机', autoTrigger.schema),
    channelId: field('渠道', z.optional(z.nullable(id))),
    doctorId: field('医生', z.optional(z.nullable(id))),
    serviceItemId: field('服务项目', z.optional(z.nullable(id))),
    diseaseId: field('病种', z.optional(z.nullable(id))),
  },
  output: z.strictObject({
    winnerId: z.nullable(idOut),
    candidates: z.array(
      z.strictObject({
        id: idOut,
        name: field('名称', z.string(), { width: 180 }),
        scope: field('适用范围', z.string(), { width: 180 }),
        valid: field('有效期', z.string(), { width: 200 }),
        wins: z.boolean(),
        reason: field('结果', z.string(), { width: 200 }),
      }),
    ),
  }),
});
