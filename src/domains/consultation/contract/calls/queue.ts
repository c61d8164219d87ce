import * as z from 'zod/mini';
import { flag, id, idOut, instant, paging, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { dutyStates, groupKinds } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupOrders } from './groups.ts';
import { groupId, groupMove, groupMoved, groupRow, inquiryFacts, reason } from './shared.ts';

const service = declareService('QueueService');
const send = may['chat.send'];
const supervise = may['chat.supervise'];
const filters = {
  deskId: field('导诊台', z.optional(id)),
  kind: field('会话类型', z.optional(groupKinds.schema)),
  orderBy: field('排序', z.optional(z.enum(groupOrders, '排序不正确'))),
};

const queueCounts = z.strictObject({ queued: z.int(), serving: z.int(), snoozed: z.int(), overSla: z.int() });
/** What waits for the caller's pool. */
export const queryQueue = service.read({
  operation: 'queryQueue',
  label: '查询待接入',
  access: send,
  input: { ...paging, ...filters },
  output: z.strictObject({ counts: queueCounts, rows: z.array(groupRow) }),
});
export const takeGroup = service.act({ operation: 'takeGroup', label: '接入', access: send, input: { groupId }, output: groupMoved });
export const takeNextGroup = service.act({
  operation: 'takeNextGroup',
  label: '接入下一位',
  access: send,
  input: { deskId: field('导诊台', z.optional(id)), kind: field('会话类型', z.optional(groupKinds.schema)) },
  output: groupMoved,
});
export const releaseGroup = service.act({
  operation: 'releaseGroup',
  label: '退回队列',
  access: send,
  input: { ...groupMove, reason: reason('退回原因') },
  output: groupMoved,
});
/** `force`: past the colleague's limit, for supervisors. */
export const transferGroup = service.act({
  operation: 'transferGroup',
  label: '转接',
  access: send,
  input: {
    ...groupMove,
    toAssistantId: field('接收医助', id),
    keepAsHelper: field('保留为协助', z._default(z.boolean(), false)),
    reason: text('转接原因', 500, 2),
    force: field('强制转接', z._default(flag, false)),
  },
  output: groupMoved,
});
export const takeoverGroup = service.act({
  operation: 'takeoverGroup',
  label: '接管',
  access: supervise,
  input: { ...groupMove, reason: reason('接管原因') },
  output: groupMoved,
});
export const snoozeGroup = service.act({
  operation: 'snoozeGroup',
  label: '稍后处理',
  access: send,
  input: { ...groupMove, until: field('截止时间', instant) },
  output: groupMoved,
});
/** `takeNext`: answers with the group taken after it. */
export const doneGroup = service.act({
  operation: 'doneGroup',
  label: '标记已处理',
  access: send,
  input: { ...groupMove, reason: z.optional(reason('原因')), takeNext: field('处理并下一位', z._default(z.boolean(), false)) },
  output: groupMoved,
});
/** The last 15 messages, the inquiry and the patient masked; each look is in the operation log. */
export const previewGroup = service.act({
  operation: 'previewGroup',
  label: '预览会话',
  access: send,
  log: 'REVEAL',
  input: { groupId },
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
export const modifyDutyState = service.act({
  operation: 'modifyDutyState',
  label: '切换接待状态',
  access: send,
  input: { state: field('接待状态', z.enum(dutyStates.codes, '请选择接待状态')) },
  output: z.strictObject({ state: dutyStates.schema, stateAt: z.string() }),
});
export const queryDutyBoard = service.read({
  operation: 'queryDutyBoard',
  label: '查看在岗看板',
  access: send,
  input: {},
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
export const modifyMaxConcurrent = service.act({
  operation: 'modifyMaxConcurrent',
  label: '修改同时接待上限',
  access: supervise,
  input: {
    assistantId: field('医助', id),
    maxConcurrent: field(
      '同时接待上限',
      z.int('请输入同时接待上限').check(z.minimum(1, '同时接待上限为1至100'), z.maximum(100, '同时接待上限为1至100')),
    ),
  },
  output: z.strictObject({ assistantId: idOut, maxConcurrent: z.int() }),
});
