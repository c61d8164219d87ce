import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { flag, id, idOut, instantOut, opinion, several, text, textOrNull, version, wholeText } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, CHANGED, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { exceptionMachine } from '../exceptionStates.ts';
import { exceptionTypes } from '../orderDictionaries.ts';
import { orderPermissions as may } from '../permissions.ts';

const exceptionService = declareService('OrderExceptionService');
const state = exceptionMachine.dictionary.schema;
const handle = may['exception.handle'];

const exceptionRow = z.strictObject({
  id: idOut,
  exceptionNo: field('工单号', z.string(), { width: 170 }),
  orderId: idOut,
  orderNo: field('订单号', z.string(), { width: 170 }),
  fulfilmentId: z.nullable(idOut),
  fulfilmentNo: field('履约单号', textOrNull, { width: 170 }),
  type: field('类型', exceptionTypes.schema, { width: 110 }),
  detail: field('说明', z.string(), { width: 260 }),
  ownerId: z.nullable(idOut),
  ownerName: field('责任人', textOrNull, { width: 90 }),
  createdAt: field('产生时间', instantOut, { width: 150 }),
  dueAt: field('时限', instantOut, { width: 150 }),
  state: field('状态', state, { width: 90 }),
  resolution: field('处理结果', textOrNull, { width: 200 }),
  closedAt: field('关闭时间', z.nullable(instantOut), { width: 150 }),
  version: z.int(),
  allowedActions: actionsOf(exceptionMachine),
});
export type ExceptionRow = z.output<typeof exceptionRow>;

export const queryExceptionList = exceptionService.list({
  operation: 'queryExceptionList',
  label: '查询异常工单',
  access: may['order.view'],
  filter: {
    exceptionNo: z.optional(wholeText('工单号', 40)),
    orderId: field('订单', z.optional(id)),
    orderNo: z.optional(wholeText('订单号', 40)),
    type: field('类型', z.optional(several(exceptionTypes.schema))),
    state: field('状态', z.optional(several(state))),
    mine: field('仅看本人', z.optional(flag)),
    overSla: field('仅看超时', z.optional(flag)),
    ...sortedBy('exceptionNo', 'createdAt'),
  },
  output: exceptionRow,
});

/** How many of each type still wait for somebody, and how many of them are one's own. */
export const queryExceptionCounts = exceptionService.read({
  operation: 'queryExceptionCounts',
  label: '统计异常工单',
  access: may['order.view'],
  input: {},
  output: z.strictObject({ counts: z.record(z.string(), z.int()), total: z.int(), mine: z.int() }),
});

const named = { exceptionId: field('异常工单', id), version };
const answer = acted(state);
export const claimException = exceptionService.act({
  operation: 'claimException',
  label: '领取异常工单',
  access: handle,
  message: '领取成功',
  input: named,
  output: answer,
});
export const claimNextException = exceptionService.act({
  operation: 'claimNextException',
  label: '领取下一件异常工单',
  access: handle,
  message: '领取成功',
  input: { type: field('类型', z.optional(exceptionTypes.schema)) },
  output: z.strictObject({ ...answer.shape, orderId: idOut }),
});
/** To whom an exception may be handed over. */
export const queryExceptionOwners = exceptionService.read({
  operation: 'queryExceptionOwners',
  label: '查询异常工单接收人',
  access: handle,
  input: { keyword: z.optional(text('姓名或工号', 40)) },
  output: z.strictObject({
    people: z.array(z.strictObject({ userId: idOut, displayName: z.string(), roleName: z.string() })),
  }),
});
export const transferException = exceptionService.act({
  operation: 'transferException',
  label: '转交异常工单',
  access: handle,
  ...CHANGED,
  message: '已转交',
  input: { ...named, toUserId: field('接收人', id), opinion },
  output: answer,
});
export const resolveException = exceptionService.act({
  operation: 'resolveException',
  label: '解决异常工单',
  access: handle,
  ...CHANGED,
  input: { ...named, opinion },
  output: answer,
});
export const ignoreException = exceptionService.act({
  operation: 'ignoreException',
  label: '忽略异常工单',
  access: may['exception.ignore'],
  ...CHANGED,
  input: { ...named, opinion },
  output: answer,
});
