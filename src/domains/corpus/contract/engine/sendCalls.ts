import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, instant, several, text, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { corpusPermissions } from '../permissions.ts';
import { eachResult, sendRow } from './runCalls.ts';
import { reasonDictionary, sendState } from './states.ts';

const service = declareService('FollowSendService');
const ids = field('消息', z.array(id).check(z.minLength(1, '请选择消息'), z.maxLength(200, '一次最多操作200条消息')));

export const queryFollowSendList = service.list({
  operation: 'queryFollowSendList',
  label: '查询随访消息',
  access: corpusPermissions['run.view'],
  secrets: ['bubbles'],
  filter: {
    ...sortedBy('sendNo', 'dueAt'),
    sendNo: z.optional(wholeText('消息编号', 20)),
    runId: field('随访', z.optional(id)),
    sceneId: field('场景', z.optional(id)),
    patientId: field('患者', z.optional(id)),
    state: field('状态', z.optional(several(sendState.schema))),
    reasonCode: field('原因', z.optional(several(reasonDictionary.schema))),
    dueFrom: field('计划时间起', z.optional(instant)),
    dueTo: field('计划时间止', z.optional(instant)),
  },
  output: sendRow,
});
export const exportFollowSendList = exportOf(queryFollowSendList, {
  operation: 'exportFollowSendList',
  label: '导出随访消息',
  access: corpusPermissions['corpus.export'],
});

export const retryFollowSend = service.act({
  operation: 'retryFollowSend',
  label: '重试随访消息',
  access: corpusPermissions['send.retry'],
  input: { ids },
  output: z.array(eachResult),
});

export const skipFollowSend = service.act({
  operation: 'skipFollowSend',
  label: '跳过随访消息',
  access: corpusPermissions['run.operate'],
  input: { ids, reason: text('跳过原因', 200, 1) },
  output: z.array(eachResult),
});
