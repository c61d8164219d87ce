import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, instant, paging, several, text, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { corpusPermissions } from '../permissions.ts';
import { eachResult, sendRow } from './runCalls.ts';
import { reasonDictionary, sendState } from './states.ts';

const base = { host: 'admin', service: 'FollowSendService' } as const;
const ids = field('消息', z.array(id).check(z.minLength(1, '请选择消息'), z.maxLength(200, '一次最多操作200条消息')));

export const queryFollowSendList = call({
  ...base,
  operation: 'queryFollowSendList',
  shape: 'list',
  kind: 'query',
  input: z.strictObject({
    ...paging,
    ...sortedBy('sendNo', 'dueAt'),
    sendNo: z.optional(wholeText('消息编号', 20)),
    runId: field('随访', z.optional(id)),
    sceneId: field('场景', z.optional(id)),
    patientId: field('患者', z.optional(id)),
    state: field('状态', z.optional(several(sendState.schema))),
    reasonCode: field('原因', z.optional(several(reasonDictionary.schema))),
    dueFrom: field('计划时间起', z.optional(instant)),
    dueTo: field('计划时间止', z.optional(instant)),
  }),
  output: sendRow,
  access: access.permission(corpusPermissions['run.view']),
  secrets: ['bubbles'],
  label: '查询随访消息',
});
export const exportFollowSendList = exportOf(queryFollowSendList, {
  operation: 'exportFollowSendList',
  label: '导出随访消息',
  access: access.permission(corpusPermissions['corpus.export']),
});

export const retryFollowSend = call({
  ...base,
  operation: 'retryFollowSend',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ ids }),
  output: z.array(eachResult),
  access: access.permission(corpusPermissions['send.retry']),
  label: '重试随访消息',
});

export const skipFollowSend = call({
  ...base,
  operation: 'skipFollowSend',
  shape: 'data',
  kind: 'command',
  input: z.strictObject({ ids, reason: text('跳过原因', 200, 1) }),
  output: z.array(eachResult),
  access: access.permission(corpusPermissions['run.operate']),
  label: '跳过随访消息',
});
