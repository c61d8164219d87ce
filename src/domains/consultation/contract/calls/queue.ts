import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { flag, id, idOut, instant, paging, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { dutyStates, groupKinds } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupOrders } from './groups.ts';
import { groupId, groupMove, groupMoved, groupRow, host, inquiryFacts, reason } from './shared.ts';

const service = 'QueueService';
const send = access.permission(may['chat.send']);
const supervise = access.permission(may['chat.supervise']);
const filters = {
  deskId: field('导诊台', z.optional(id)),
  kind: field('会话类型', z.optional(groupKinds.schema)),
  orderBy: field('排序', z.optional(z.enum(groupOrders, '排序不正确'))),
};

export const queueCounts = z.strictObject({ queued: z.int(), serving: z.int(), snoozed: z.int(), overSla: z.int() });
/** What waits for the caller's pool. */
export const queryQueue = call({
  host,
  service,
  operation: 'queryQueue',
  kind: 'query',
  shape: 'data',
  label: '查询待接入',
  access: send,
  input: z.strictObject({ ...paging, ...filters }),
  output: z.strictObject({ counts: queueCounts, rows: z.array(groupRow) }),
});
export const takeGroup = call({
  host,
  service,
  operation: 'takeGroup',
  kind: 'command',
  shape: 'data',
  label: '接入',
  access: send,
  input: z.strictObject({ groupId }),
  output: groupMoved,
});
export const takeNextGroup = call({
  host,
  service,
  operation: 'takeNextGroup',
  kind: 'command',
  shape: 'data',
  label: '接入下一位',
  access: send,
  input: z.strictObject({ deskId: field('导诊台', z.optional(id)), kind: field('会话类型', z.optional(groupKinds.schema)) }),
  output: groupMoved,
});
export const releaseGroup = call({
  host,
  service,
  operation: 'releaseGroup',
  kind: 'command',
  shape: 'data',
  label: '退回队列',
  access: send,
  input: z.strictObject({ ...groupMove, reason: reason('退回原因') }),
  output: groupMoved,
});
/** `force`: past the colleague's limit, for supervisors. */
export const transferGroup = call({
  host,
  service,
  operation: 'transferGroup',
  kind: 'command',
  shape: 'data',
  label: '转接',
  access: send,
  input: z.strictObject({
    ...groupMove,
    toAssistantId: field('接收医助', id),
    keepAsHelper: field('保留为协助', z._default(z.boolean(), false)),
    reason: text('转接原因', 500, 2),
    force: field('强制转接', z._default(flag, false)),
  }),
  output: groupMoved,
});
export const takeoverGroup = call({
  host,
  service,
  operation: 'takeoverGroup',
  kind: 'command',
  shape: 'data',
  label: '接管',
  access: supervise,
  input: z.strictObject({ ...groupMove, reason: reason('接管原因') }),
  output: groupMoved,
});
export const snoozeGroup = call({
  host,
  service,
  operation: 'snoozeGroup',
  kind: 'command',
  shape: 'data',
  label: '稍后处理',
  access: send,
  input: z.strictObject({ ...groupMove, until: field('截止时间', instant) }),
  output: groupMoved,
});
/** `takeNext`: answers with the group taken after it. */
export const doneGroup = call({
  host,
  service,
  operation: 'doneGroup',
  kind: 'command',
  shape: 'data',
  label: '标记已处理',
  access: send,
  input: z.strictObject({
    ...groupMove,
    reason: z.optional(reason('原因')),
    takeNext: field('处理并下一位', z._default(z.boolean(), false)),
  }),
  output: groupMoved,
});
/** The last 15 messages, the inquiry and the patient masked; each look is in the operation log. */
export const previewGroup = call({
  host,
  service,
  operation: 'previewGroup',
  kind: 'command',
  shape: 'data',
  label: '预览会话',
  access: send,
  log: 'REVEAL',
  input: z.strictObject({ groupId }),
  output: z.strictObject({
    group: groupRow,
    inquiry: z.strictObject(inquiryFacts),
    messages: z.array(z.unknown()),
    patient: z.strictObject({
      patientId: idOut,
      name: z.string(),
      gender: z.nullable(z.int()),
      age: z.nullable(z.int()),
      mobileMasked: z.nullable(z.string()),
    }),
  }),
});
export const modifyDutyState = call({
  host,
  service,
  operation: 'modifyDutyState',
  kind: 'command',
  shape: 'data',
  label: '切换接待状态',
  access: send,
  input: z.strictObject({ state: field('接待状态', z.enum(dutyStates.codes, '请选择接待状态')) }),
  output: z.strictObject({ state: dutyStates.schema, stateAt: z.string() }),
});
export const queryDutyBoard = call({
  host,
  service,
  operation: 'queryDutyBoard',
  kind: 'query',
  shape: 'data',
  label: '查看在岗看板',
  access: send,
  input: z.strictObject({}),
  output: z.array(
    z.strictObject({
      assistantId: idOut,
      name: z.string(),
      avatarFileId: z.nullable(idOut),
      state: dutyStates.schema,
      stateAt: z.string(),
      connected: z.boolean(),
      serving: z.int(),
      snoozed: z.int(),
      maxConcurrent: z.int(),
      oldestWaitingSince: z.nullable(z.string()),
      inDutyWeek: z.boolean(),
    }),
  ),
});
export const modifyMaxConcurrent = call({
  host,
  service,
  operation: 'modifyMaxConcurrent',
  kind: 'command',
  shape: 'data',
  label: '修改同时接待上限',
  access: supervise,
  input: z.strictObject({
    assistantId: field('医助', id),
    maxConcurrent: field(
      '同时接待上限',
      z.int('请输入同时接待上限').check(z.minimum(1, '同时接待上限为1至100'), z.maximum(100, '同时接待上限为1至100')),
    ),
  }),
  output: z.strictObject({ assistantId: idOut, maxConcurrent: z.int() }),
});
