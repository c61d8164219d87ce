import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { dayOut, id, idOut, instant, instantOut, optionalText, several, text, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { sendTarget, touchKind } from '../dictionaries.ts';
import { corpusPermissions } from '../permissions.ts';
import { explainedCondition } from './explained.ts';
import { gateStep } from './gate.ts';
import { entrySource, pauseReason, reasonDictionary, runMachine, sendState, stopReason } from './states.ts';

const service = declareService('FollowRunService');
const mayView = corpusPermissions['run.view'];
const mayOperate = corpusPermissions['run.operate'];

const runRow = z.strictObject({
  id: idOut,
  runNo: field('随访编号', z.string(), { width: 140 }),
  patientId: idOut,
  /** Masked. */
  patientName: field('患者', z.string(), { width: 96 }),
  sceneId: idOut,
  sceneName: field('场景', z.string(), { width: 200 }),
  diseaseName: field('病种', z.string(), { width: 144 }),
  versionSeq: field('版本', z.int(), { width: 64 }),
  doctorName: field('医生', z.string(), { width: 96 }),
  isGroup: z.boolean(),
  entrySource: field('进入方式', entrySource.schema),
  enteredAt: field('进入时间', instantOut),
  state: runMachine.dictionary.schema,
  pauseReason: field('暂停原因', z.nullable(pauseReason.schema)),
  pausedUntil: field('暂停至', z.nullable(instantOut)),
  stopReason: field('终止原因', z.nullable(stopReason.schema)),
  endedAt: field('结束时间', z.nullable(instantOut)),
  nextDueAt: field('下次触达', z.nullable(instantOut)),
  sentCount: field('已发送', z.int()),
  readCount: field('已读', z.int()),
  repliedCount: field('已回复', z.int()),
  convertedAt: field('转化时间', z.nullable(instantOut)),
  version: z.int(),
});
export type RunRow = z.output<typeof runRow>;

const runFilter = {
  runNo: z.optional(wholeText('随访编号', 20)),
  diseaseId: field('病种', z.optional(id)),
  sceneId: field('场景', z.optional(id)),
  patientId: field('患者', z.optional(id)),
  doctorId: field('医生', z.optional(id)),
  state: field('状态', z.optional(several(runMachine.dictionary.schema))),
  enteredFrom: field('进入时间起', z.optional(instant)),
  enteredTo: field('进入时间止', z.optional(instant)),
};

export const queryFollowRunList = service.list({
  operation: 'queryFollowRunList',
  label: '查询随访实例',
  access: mayView,
  filter: { ...sortedBy('runNo', 'enteredAt'), ...runFilter },
  output: runRow,
});
export const exportFollowRunList = exportOf(queryFollowRunList, {
  operation: 'exportFollowRunList',
  label: '导出随访实例',
  access: corpusPermissions['corpus.export'],
});

/** One planned touch with what became of it. */
export const sendRow = z.strictObject({
  id: idOut,
  sendNo: field('消息编号', z.string(), { width: 152 }),
  /** None: an automatic message or a campaign. */
  runId: z.nullable(idOut),
  runNo: field('随访编号', z.nullable(z.string()), { width: 140 }),
  patientId: idOut,
  /** Masked. */
  patientName: field('患者', z.string(), { width: 96 }),
  sceneName: field('场景', z.string(), { width: 200 }),
  touchKind: field('内容类型', touchKind.schema),
  target: field('发送到', sendTarget.schema),
  materials: field('素材', z.string(), { width: 200 }),
  dueAt: field('计划时间', instantOut),
  nextTryAt: field('下次尝试', z.nullable(instantOut)),
  state: field('状态', sendState.schema),
  reasonCode: field('原因', z.nullable(reasonDictionary.schema)),
  attempts: field('尝试次数', z.int()),
  lastError: field('错误', z.nullable(z.string()), { width: 200 }),
  sentAt: field('发送时间', z.nullable(instantOut)),
  readAt: field('阅读时间', z.nullable(instantOut)),
  repliedAt: field('回复时间', z.nullable(instantOut)),
  convertedAt: field('转化时间', z.nullable(instantOut)),
  gateTrace: z.array(gateStep),
  bubbles: z.array(z.string()),
  version: z.int(),
});
export type SendRow = z.output<typeof sendRow>;

export const queryFollowRunDetail = service.read({
  operation: 'queryFollowRunDetail',
  label: '查询随访详情',
  access: mayView,
  secrets: ['bubbles'],
  input: { runId: field('随访', id) },
  output: z.strictObject({
    run: runRow,
    entryNote: z.string(),
    entryExplain: z.array(explainedCondition),
    stopExplain: z.array(explainedCondition),
    touches: z.array(sendRow),
    trail,
    allowedActions: z.array(z.string()),
  }),
});

/** What became of one of several. */
export const eachResult = z.strictObject({ id: idOut, ok: z.boolean(), code: z.string(), message: z.string() });
export type EachResult = z.output<typeof eachResult>;

export const addFollowRun = service.act({
  operation: 'addFollowRun',
  label: '加入随访场景',
  access: mayOperate,
  input: {
    scenePackageId: field('场景包', id),
    patientIds: field('患者', z.array(id).check(z.minLength(1, '请选择患者'), z.maxLength(200, '一次最多加入200名患者'))),
    reason: text('加入原因', 200, 1),
  },
  output: z.array(eachResult),
});

const runActions = ['pause', 'resume', 'stop'] as const;
export const operateFollowRun = service.act({
  operation: 'operateFollowRun',
  label: '暂停、恢复或终止随访',
  access: mayOperate,
  input: {
    runIds: field('随访', z.array(id).check(z.minLength(1, '请选择随访'), z.maxLength(200, '一次最多操作200条随访'))),
    action: field('操作', z.enum(runActions, '请选择操作')),
    opinion: optionalText('意见', 200),
  },
  output: z.array(eachResult),
});

const timelineEntry = z.strictObject({
  /** `run:{id}` or `send:{id}`. */
  key: z.string(),
  kind: z.enum(['ENTERED', 'TOUCH', 'PAUSED', 'ENDED']),
  at: instantOut,
  title: z.string(),
  detail: z.string(),
  /** None: an automatic message or a campaign. */
  runId: z.nullable(idOut),
  day: dayOut,
  state: z.nullable(sendState.schema),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

export const queryPatientFollowTimeline = service.read({
  operation: 'queryPatientFollowTimeline',
  label: '查询患者随访时间线',
  access: mayView,
  input: { patientId: field('患者', id) },
  output: z.array(timelineEntry),
});
