import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instant, instantOut, opinion, several, text, version, wholeText } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { dayOf, startOfDay, timeSlots } from '#kernel/contract/time.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { conditionRowsIn } from '../conditionCalls.ts';
import { sendTarget, touchKind } from '../dictionaries.ts';
import { frozenRow } from '../engine/snapshot.ts';
import { corpusPermissions as may } from '../permissions.ts';
import { audienceResult, campaignActions, campaignMachine } from './dictionaries.ts';

const service = declareService('CampaignService');
const mayView = may['corpus.view'];
const mayEdit = may['campaign.edit'];
const state = campaignMachine.dictionary.schema;

export const MOST_MATERIALS = 5;
const MOST_PEOPLE = 1000;

/** Sending begins at one of the slots of a day. */
const sendAt = field(
  '发送时间',
  instant.check(
    z.refine(
      (at) => Number.isNaN(Date.parse(at)) || timeSlots.some((slot) => startOfDay(dayOf(at), slot) === at),
      '发送时间须为08:30至18:30间的整点或半点',
    ),
  ),
);
const patientNos = (label: string) =>
  field(label, z._default(z.array(text('患者编号', 32, 1)).check(z.maxLength(MOST_PEOPLE, `${label}最多${MOST_PEOPLE}人`)), []));

const counts = z.strictObject({ total: z.int(), waiting: z.int(), sent: z.int(), skipped: z.int(), failed: z.int() });
const campaignRow = z.strictObject({
  id: idOut,
  campaignNo: field('任务编号', z.string(), { width: 130 }),
  name: field('名称', z.string(), { width: 180 }),
  audience: field('人群', z.string(), { width: 200 }),
  summary: field('内容摘要', z.string(), { width: 180 }),
  touchKind: field('触达类型', touchKind.schema, { width: 100 }),
  target: field('发送对象', sendTarget.schema, { width: 100 }),
  sendAt: field('发送时间', instantOut),
  previewCount: field('预览人数', z.nullable(z.int()), { width: 90 }),
  previewAt: z.nullable(instantOut),
  counts,
  progress: field('已发送/全部', z.string(), { width: 110 }),
  stopReason: z.string(),
  state: field('状态', state, { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
  allowedActions: actionsOf(campaignMachine),
});
export type CampaignRow = z.output<typeof campaignRow>;

export const queryCampaignList = service.list({
  operation: 'queryCampaignList',
  label: '查询群发任务',
  access: mayView,
  filter: {
    ...sortedBy('campaignNo', 'sendAt', 'previewCount', 'updatedAt'),
    campaignNo: z.optional(wholeText('任务编号', 16)),
    name: z.optional(text('名称', 32)),
    state: field('状态', z.optional(several(state))),
    sendFrom: field('发送时间起', z.optional(instant)),
    sendTo: field('发送时间止', z.optional(instant)),
  },
  output: campaignRow,
});
export const exportCampaignList = exportOf(queryCampaignList, {
  operation: 'exportCampaignList',
  label: '导出群发任务',
  access: may['corpus.export'],
});

export const queryCampaignDetail = service.read({
  operation: 'queryCampaignDetail',
  label: '查询群发任务详情',
  access: mayView,
  input: { id },
  output: z.strictObject({
    campaign: campaignRow,
    diseaseIds: z.array(z.string()),
    rows: z.array(frozenRow),
    includePatientNos: z.array(z.string()),
    excludePatientNos: z.array(z.string()),
    materialIds: z.array(z.string()),
    timeline: trail,
  }),
});
const fields = {
  name: text('名称', 32, 1),
  diseaseIds: field('病种', z._default(z.array(id).check(z.maxLength(20, '病种最多20个')), [])),
  rows: z._default(conditionRowsIn, []),
  includePatientNos: patientNos('指定患者'),
  excludePatientNos: patientNos('排除患者'),
  target: field('发送对象', sendTarget.schema),
  touchKind: field('触达类型', touchKind.schema),
  materialIds: field(
    '消息素材',
    z.array(id).check(z.minLength(1, '请选择素材'), z.maxLength(MOST_MATERIALS, `素材最多${MOST_MATERIALS}条`)),
  ),
  sendAt,
};
const saved = z.strictObject({ id: idOut, version: z.int() });

export const addCampaign = service.act({
  operation: 'addCampaign',
  label: '新增群发任务',
  access: mayEdit,
  message: '新增成功!',
  input: fields,
  output: saved,
});

/** A draft alone; who is in its audience is looked at again. */
export const modifyCampaign = service.act({
  operation: 'modifyCampaign',
  label: '修改群发任务',
  access: mayEdit,
  message: '修改成功!',
  input: { id, version, ...fields },
  output: saved,
});

export const audiencePerson = z.strictObject({
  patientId: idOut,
  patientNo: field('患者编号', z.string(), { width: 140 }),
  patientName: field('患者', z.string(), { width: 90 }),
  result: field('结果', audienceResult.schema, { width: 100 }),
  reason: field('原因', z.string(), { width: 220 }),
});
/** Counts the audience by what the gates would say of each person now, and tells some of them by name. */
export const previewCampaign = service.act({
  operation: 'previewCampaign',
  label: '预览群发人群',
  access: mayEdit,
  input: { id, version },
  output: z.strictObject({
    version: z.int(),
    total: z.int(),
    results: z.array(z.strictObject({ result: audienceResult.schema, count: z.int() })),
    people: z.array(audiencePerson),
  }),
});
export type CampaignPreview = z.output<typeof previewCampaign.output>;

export const auditCampaign = service.act({
  operation: 'auditCampaign',
  label: '提交、审核群发任务',
  access: access.byAction('action', { approve: may['campaign.audit'], reject: may['campaign.audit'] }, may['campaign.edit']),
  message: '操作成功!',
  input: { id, version, action: field('操作', z.enum(campaignActions, '操作不正确')), opinion: z.optional(opinion) },
  output: actionAnswer,
});

/** What was sent stays sent; what waits is cancelled. */
export const stopCampaign = service.act({
  operation: 'stopCampaign',
  label: '停止群发任务',
  access: mayEdit,
  message: '操作成功!',
  input: { id, version, opinion },
  output: actionAnswer,
});
