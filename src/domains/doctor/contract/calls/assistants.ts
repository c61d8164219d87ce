import * as z from 'zod/mini';
import { declareService, rowOutcomes } from '#kernel/contract/service.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { between, ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  flag,
  id,
  idOut,
  numberOrNull,
  rateOut,
  several,
  text,
  textOrNull,
  version,
  personName,
} from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { field } from '#kernel/contract/field.ts';
import { timeSlots } from '#kernel/contract/time.ts';
import { bindRoles, transferScopes, transferStates, transferStrategies } from '../dictionaries.ts';
import { at, chosen, mobile } from '../fields.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { assistantMachine } from '../staffStates.ts';

const service = declareService('AssistantService');
const view = may['assistant.view'];
const edit = may['assistant.edit'];
const bind = may['assistant.bind'];
const state = assistantMachine.dictionary.schema;

const slot = field('值班开始', z.enum(timeSlots as [string, ...string[]], '时间须为08:30至18:30的整点或半点'));
const dutySpan = z
  .strictObject({
    weekday: field('星期', z.int('星期不正确').check(z.minimum(1, '星期不正确'), z.maximum(7, '星期不正确'))),
    from: slot,
    to: field('值班结束', slot),
  })
  .check(ordered('from', 'to', '值班结束时间须晚于开始时间', { apart: true }));
const spanOut = z.strictObject({ weekday: z.int(), from: z.string(), to: z.string() });

/** Basis points of the load: 10000 = full. */
const loadBp = z.int('负荷须为整数').check(z.minimum(0, '负荷不能为负数'), z.maximum(1_000_000, '负荷过大'));
const filters = {
  name: z.optional(personName('姓名', 30)),
  mobile: z.optional(text('手机号', 11)),
  groupName: z.optional(text('分组', 30)),
  state: z.optional(several(state)),
  diseaseId: field('病种', z.optional(id)),
  loadMin: field('负荷不低于', z.optional(loadBp)),
  loadMax: field('负荷不高于', z.optional(loadBp)),
  id: z.optional(id),
};
const row = z.strictObject({
  id: idOut,
  assistantNo: field('医助编号', z.string()),
  operatorId: idOut,
  userId: idOut,
  name: field('姓名', z.string()),
  mobile: field('手机号', z.string()),
  avatarFileId: z.nullable(idOut),
  groupName: field('分组', z.string()),
  leaderId: z.nullable(idOut),
  leaderName: field('组长', textOrNull),
  capacity: field('容量', z.int()),
  diseaseIds: z.array(idOut),
  dutyWeek: z.array(spanOut),
  dutyToday: field('今日值班', z.array(spanOut), { text: (spans) => spans.map(({ from, to }) => `${from}–${to}`).join('、') }),
  state: field('状态', state),
  leaveUntil: field('请假至', z.nullable(dayOut)),
  activeCount: field('进行中', z.int()),
  loadBp: field('负荷', rateOut),
  primaryCount: field('主医助医生数', z.int()),
  backupCount: field('备岗医生数', z.int()),
  newToday: field('今日新增', z.int()),
  firstReplySec: field('首响中位数（秒）', numberOrNull),
  version: z.int(),
});
export type AssistantRow = z.output<typeof row>;

export const queryAssistantList = service.list({
  operation: 'queryAssistantList',
  label: '查询医助',
  access: view,
  filter: {
    ...sortedBy('assistantNo', 'capacity', 'activeCount', 'loadBp', 'primaryCount', 'backupCount', 'newToday', 'firstReplySec'),
    ...filters,
  },
  output: row,
});
export const exportAssistantList = exportOf(queryAssistantList, {
  operation: 'exportAssistantList',
  label: '导出医助',
  access: may['assistant.export'],
});
export const queryAssistantSummary = service.read({
  operation: 'queryAssistantSummary',
  label: '医助概况',
  access: view,
  input: {},
  /** `averageBp`: open inquiries of all that are not disabled ÷ their capacity. */
  output: z.strictObject({ onDuty: z.int(), averageBp: z.int(), overloaded: z.int(), withoutAssistant: z.int() }),
});

const fields = {
  avatarFileId: field('头像', z._default(z.nullable(id), null)),
  groupName: text('分组', 30, 1),
  leaderId: field('组长', z._default(z.nullable(id), null)),
  capacity: field('容量', z.int('容量须为整数').check(z.minimum(1, '容量须为1至200'), z.maximum(200, '容量须为1至200'))),
  diseaseIds: field('擅长病种', z._default(z.array(id, '病种不正确').check(z.maxLength(20, '最多20个病种')), [])),
  dutyWeek: field('值班', z.array(dutySpan, '请设置值班时段').check(z.minLength(1, '请设置值班时段'), z.maxLength(140, '值班时段过多'))),
};
export const assistantLabels = {
  mobile: '手机号',
  avatarFileId: '头像',
  groupName: '分组',
  leaderId: '组长',
  capacity: '容量',
  diseaseIds: '擅长病种',
  dutyWeek: '值班',
};
export const addAssistant = service.act({
  operation: 'addAssistant',
  label: '新增医助',
  access: edit,
  message: '添加成功!',
  input: { userId: chosen('员工'), mobile, ...fields },
  output: z.strictObject({ id: idOut, assistantNo: z.string(), version: z.int() }),
});
export const modifyAssistant = service.act({
  operation: 'modifyAssistant',
  label: '编辑医助',
  access: edit,
  /** Without a mobile the known one stays. */
  input: { id, version, mobile: z.optional(mobile), ...fields },
  output: actionAnswer,
});
export const changeAssistantState = service.act({
  operation: 'changeAssistantState',
  label: '变更医助状态',
  access: edit,
  input: z
    .strictObject({
      id,
      version,
      action: field('操作', z.enum(['goOn', 'goOff', 'leave', 'return', 'disable', 'enable'], '操作不正确')),
      leaveUntil: field('休假截止日', z.optional(day)),
      opinion: z.optional(text('意见', 500)),
    })
    .check(
      between(['action', 'leaveUntil'], ({ action, leaveUntil }) => action !== 'leave' || leaveUntil !== undefined, '请选择请假截止日期'),
    ),
  output: actionAnswer,
});
export const revealAssistantMobile = service.act({
  operation: 'revealAssistantMobile',
  label: '查看医助手机号',
  access: may['sensitive.reveal'],
  log: 'REVEAL',
  input: { id, reason: z.optional(text('查看原因', 200)) },
  output: z.strictObject({ value: z.string() }),
});
/** Staff users for the form; one who is an assistant already is shown and cannot be chosen. */
export const queryAssistantUserOptions = service.read({
  operation: 'queryAssistantUserOptions',
  label: '查询可关联员工',
  method: 'GET',
  access: edit,
  input: { keyword: z.optional(text('关键词', 30)) },
  output: z.array(z.strictObject({ userId: idOut, displayName: z.string(), opNo: z.string(), taken: z.boolean() })),
});

const doctorIds = field('医生', z.array(id, '请选择医生').check(z.minLength(1, '请选择医生'), z.maxLength(500, '最多500名医生')));
export const bindAssistant = service.act({
  operation: 'bindAssistant',
  label: '绑定医助',
  access: bind,
  input: { doctorIds, assistantId: chosen('医助'), role: field('绑定角色', bindRoles.schema) },
  output: rowOutcomes,
});
export const unbindAssistant = service.act({
  operation: 'unbindAssistant',
  label: '解绑医助',
  access: bind,
  input: { doctorIds, assistantId: field('医助', id), reason: text('解绑原因', 200, 2) },
  output: rowOutcomes,
});
const bindRow = z.strictObject({
  id: idOut,
  doctorId: idOut,
  doctorNo: z.string(),
  doctorName: z.string(),
  assistantId: idOut,
  assistantNo: z.string(),
  assistantName: z.string(),
  role: bindRoles.schema,
  /** Open inquiries that this assistant has for this doctor. */
  open: z.int(),
  startedAt: at,
  startedName: textOrNull,
  endedAt: textOrNull,
  endedName: textOrNull,
  endReason: textOrNull,
  transferNo: textOrNull,
});
export type BindRow = z.output<typeof bindRow>;
export const queryAssistantBindHistory = service.list({
  operation: 'queryAssistantBindHistory',
  label: '查询医助绑定',
  access: view,
  filter: {
    assistantId: field('医助', z.optional(id)),
    doctorId: field('医生', z.optional(id)),
    live: field('只看当前', z.optional(flag)),
  },
  output: bindRow,
});
const unboundRow = z.strictObject({ id: idOut, doctorNo: z.string(), name: z.string(), titleCode: textOrNull, backupCount: z.int() });
/** Live doctors without a primary assistant. */
export const queryUnboundDoctorList = service.list({
  operation: 'queryUnboundDoctorList',
  label: '查询无医助医生',
  access: view,
  filter: { name: z.optional(personName('姓名', 30)) },
  output: unboundRow,
});

const transferFields = {
  fromAssistantId: field('转出医助', id),
  scope: field('转移范围', transferScopes.schema),
  doctorIds: field('医生', z._default(z.array(id, '请选择医生').check(z.maxLength(500, '最多500名医生')), [])),
  strategy: field('转移方式', transferStrategies.schema),
  toAssistantIds: field(
    '接收医助',
    z.array(id, '请选择接收医助').check(z.minLength(1, '请选择接收医助'), z.maxLength(20, '最多20名接收医助')),
  ),
  withInquiries: field('转移进行中的问诊', z._default(flag, true)),
};
interface Transfer {
  scope: string;
  doctorIds: readonly string[];
  strategy: string;
  toAssistantIds: readonly string[];
  fromAssistantId: string;
}
const transferChecks = [
  z.refine<Transfer>((value) => value.scope === 'ALL' || value.doctorIds.length > 0, { path: ['doctorIds'], message: '请选择医生' }),
  z.refine<Transfer>((value) => value.strategy === 'SPREAD' || value.toAssistantIds.length === 1, {
    path: ['toAssistantIds'],
    message: '只能转给一名医助',
  }),
  z.refine<Transfer>((value) => !value.toAssistantIds.includes(value.fromAssistantId), {
    path: ['toAssistantIds'],
    message: '不能转给本人',
  }),
] as const;
const transferResult = z.strictObject({
  doctorId: idOut,
  doctorNo: z.string(),
  doctorName: z.string(),
  role: bindRoles.schema,
  open: z.int(),
  toAssistantId: z.nullable(idOut),
  toName: textOrNull,
  /** The successor's load before and after this doctor. */
  beforeBp: z.int(),
  afterBp: z.int(),
  ok: z.boolean(),
  message: z.string(),
});
export type TransferResult = z.output<typeof transferResult>;
const loads = z.array(
  z.strictObject({ assistantId: idOut, name: z.string(), capacity: z.int(), before: z.int(), after: z.int(), doctors: z.int() }),
);
export const previewTransfer = service.read({
  operation: 'previewTransfer',
  label: '预览医助转移',
  access: bind,
  input: z.strictObject(transferFields).check(...transferChecks),
  output: z.strictObject({ rows: z.array(transferResult), loads }),
});
export const batchTransferAssistant = service.act({
  operation: 'batchTransferAssistant',
  label: '转移医助',
  access: bind,
  idempotency: 'required',
  /** `retryOf`: tries the refused rows of that transfer again; successors may be others. */
  input: z
    .strictObject({
      ...transferFields,
      reason: text('转移原因', 200, 2),
      retryOf: field('原转移任务', z._default(z.nullable(id), null)),
    })
    .check(...transferChecks),
  output: z.strictObject({ id: idOut, transferNo: z.string(), state: transferStates.schema, rows: z.array(transferResult), loads }),
});
