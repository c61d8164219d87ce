import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { day, dayOut, flag, id, idOut, instant, instantOut, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { attributionMethods, subjectTypes } from '../dictionaries.ts';
import { at } from '../fields.ts';
import { sought } from '../orderFields.ts';
import { attributionChangeMachine } from '../orderStates.ts';
import { doctorPermissions as may } from '../permissions.ts';

const service = declareService('DoctorPatientChannelService');
const view = may['attribution.view'];
const idOrNull = z.nullable(idOut);
const atOrNull = z.nullable(at);

/** Steps of the funnel, in order. */
export const funnelSteps = ['SCANNED', 'REGISTERED', 'VERIFIED', 'FIRST_ORDER', 'REPEAT'] as const;
export type FunnelStep = (typeof funnelSteps)[number];

const filters = {
  name: sought('姓名', 30),
  mobile: field('手机号', z.optional(z.string().check(z.regex(/^1\d{10}$/, '手机号格式不正确')))),
  channelId: field('渠道', z.optional(id)),
  sceneCodeId: field('场景码', z.optional(id)),
  sceneCodeNo: sought('场景码', 24),
  agentId: field('代表', z.optional(id)),
  doctorId: field('经由医生', z.optional(id)),
  method: field('归属方式', z.optional(several(attributionMethods.schema))),
  from: field('开始时间', z.optional(instant)),
  to: field('结束时间', z.optional(instant)),
  /** People of a channel, or of those without one, who got at least this far. */
  step: field('到达环节', z.optional(z.enum(funnelSteps, '到达环节不正确'))),
  organic: field('自然流量', z.optional(flag)),
  ...sortedBy('startedAt'),
};
const row = z.strictObject({
  id: idOut,
  subjectType: field('对象类型', subjectTypes.schema),
  subjectId: idOut,
  subjectNo: field('编号', textOrNull),
  subjectName: z.string(),
  mobileMasked: field('手机号', textOrNull, { width: 112 }),
  channelId: idOrNull,
  channelName: field('渠道', textOrNull),
  sceneCodeId: idOrNull,
  sceneCodeNo: field('场景码', textOrNull, { width: 160 }),
  agentId: idOrNull,
  agentName: field('代表', textOrNull),
  viaDoctorId: idOrNull,
  viaDoctorName: field('经由医生', textOrNull),
  method: field('归属方式', attributionMethods.schema),
  scannedAt: field('首次扫码', z.nullable(instantOut)),
  startedAt: field('归属时间', instantOut),
  changes: field('变更次数', z.int()),
  verified: field('已认证/实名', z.boolean()),
  orders: field('订单数', z.int()),
  pendingChange: z.boolean(),
});
export type AttributionRow = z.output<typeof row>;
export const queryDoctorChannelList = service.list({
  operation: 'queryDoctorChannelList',
  label: '查询医生渠道归属',
  access: view,
  filter: filters,
  output: row,
});
export const queryPatientChannelList = service.list({
  operation: 'queryPatientChannelList',
  label: '查询患者渠道归属',
  access: view,
  filter: filters,
  output: row,
});
/** One export of both lists: whose attributions, the call says. */
export const exportAttributionList = service.file({
  operation: 'exportAttributionList',
  label: '导出渠道归属',
  access: may['attribution.export'],
  log: 'EXPORT',
  input: { subjectType: field('归属对象类型', z._default(subjectTypes.schema, 'DOCTOR')), ...filters, ...exportFields },
  output: exportQueued,
});

/** Everything that is known of one subject's ways here. */
export const queryAttributionTrail = service.read({
  operation: 'queryAttributionTrail',
  label: '查看归属轨迹',
  access: view,
  input: { subjectType: field('归属对象类型', subjectTypes.schema), subjectId: field('归属对象', id) },
  output: z.strictObject({
    subjectName: z.string(),
    attributions: z.array(
      z.strictObject({
        id: idOut,
        channelName: textOrNull,
        agentName: textOrNull,
        viaDoctorName: textOrNull,
        method: attributionMethods.schema,
        startedAt: at,
        endedAt: atOrNull,
        changeNo: textOrNull,
      }),
    ),
    scans: z.array(z.strictObject({ scanId: idOut, channelName: textOrNull, at })),
    changes: z.array(
      z.strictObject({
        id: idOut,
        changeNo: z.string(),
        fromChannelName: textOrNull,
        toChannelName: textOrNull,
        effectiveOn: z.string(),
        state: attributionChangeMachine.dictionary.schema,
        createdAt: at,
      }),
    ),
    doctors: z.array(z.strictObject({ doctorId: idOut, doctorName: z.string(), firstAt: at, lastAt: at, orderCount: z.int() })),
  }),
});

const period = {
  subjectType: field('对象', subjectTypes.schema),
  from: field('开始日期', day),
  to: field('结束日期', day),
  channelIds: field('渠道', z.optional(several(id, 20))),
};
const funnelRow = z.strictObject({
  channelId: idOrNull,
  channelName: z.string(),
  steps: z.array(
    z.strictObject({ step: z.enum(funnelSteps), n: z.int(), /** Of the step before, in basis points. */ rateBp: z.nullable(z.int()) }),
  ),
});
export type FunnelRow = z.output<typeof funnelRow>;
/** The channels with the most people, and all together first. */
export const queryChannelFunnel = service.read({
  operation: 'queryChannelFunnel',
  label: '查询渠道漏斗',
  access: view,
  input: period,
  output: z.array(funnelRow),
});

const change = z.strictObject({
  id: idOut,
  changeNo: field('变更单号', z.string(), { width: 160 }),
  subjectType: field('对象', subjectTypes.schema),
  subjectId: idOut,
  subjectName: field('姓名', z.string()),
  fromChannelName: textOrNull,
  toChannelName: textOrNull,
  fromAgentName: field('原代表', textOrNull),
  toAgentName: field('新代表', textOrNull),
  effectiveOn: field('生效日期', dayOut),
  reason: field('变更原因', z.string(), { width: 240 }),
  source: z.enum(['MANUAL', 'IMPORT']),
  makerId: idOut,
  makerName: field('申请人', textOrNull),
  checkerName: field('审批人', textOrNull),
  opinion: field('审批意见', textOrNull, { width: 240 }),
  decidedAt: field('审批时间', z.nullable(instantOut)),
  performedAt: field('执行时间', z.nullable(instantOut)),
  state: field('状态', attributionChangeMachine.dictionary.schema),
  version: z.int(),
  createdAt: field('申请时间', instantOut),
  allowedActions: actionsOf(attributionChangeMachine),
});
export type AttributionChangeRow = z.output<typeof change>;
const changeFilters = {
  changeNo: sought('变更单号', 24),
  name: sought('姓名', 30),
  subjectType: field('对象', z.optional(subjectTypes.schema)),
  state: z.optional(several(attributionChangeMachine.dictionary.schema)),
  channelId: field('渠道', z.optional(id)),
  from: field('开始时间', z.optional(instant)),
  to: field('结束时间', z.optional(instant)),
};
export const queryAttributionChangeList = service.list({
  operation: 'queryAttributionChangeList',
  label: '查询归属变更',
  access: view,
  filter: { ...changeFilters, ...sortedBy('changeNo', 'createdAt') },
  output: change,
});
export const exportAttributionChangeList = exportOf(queryAttributionChangeList, {
  operation: 'exportAttributionChangeList',
  label: '导出归属变更',
  access: may['attribution.export'],
});
export const queryAttributionChangeDetail = service.read({
  operation: 'queryAttributionChangeDetail',
  label: '查看归属变更',
  access: view,
  input: { id },
  output: z.strictObject({
    change,
    evidence: z.array(
      z.strictObject({
        fileId: idOut,
        fileName: z.string(),
        detectedType: textOrNull,
        size: z.nullable(z.int()),
        pageCount: z.nullable(z.int()),
      }),
    ),
    trail,
  }),
});

const changeReason = text('变更原因', 500, 2);
export const addAttributionChange = service.act({
  operation: 'addAttributionChange',
  label: '申请归属变更',
  access: may['attribution.edit'],
  message: '变更申请已提交!',
  input: {
    subjectType: field('对象', subjectTypes.schema),
    subjectId: field('归属对象', id),
    toChannelId: field('新渠道', z.nullable(id)),
    toAgentId: field('新代表', z._default(z.nullable(id), null)),
    effectiveOn: field('生效日期', day),
    reason: changeReason,
    evidenceFileIds: field('证明材料', z._default(z.array(id).check(z.maxLength(9, '证明材料最多9个')), [])),
  },
  output: actionAnswer,
});
export const auditAttributionChange = service.act({
  operation: 'auditAttributionChange',
  label: '审批归属变更',
  access: access.byAction('action', { cancel: may['attribution.edit'] }, may['attribution.audit']),
  input: { id, version, action: field('操作', z.enum(['approve', 'reject', 'cancel'], '操作不正确')), opinion: z.optional(opinion) },
  output: actionAnswer,
});
/** Papers behind an application. */
export const EVIDENCE_PURPOSE = 'ATTRIBUTION_EVIDENCE';
export const ATTRIBUTION_IMPORTER = 'doctor.attributionChange';
/** One row per subject; each becomes an application that a second person decides on. */
export const importAttributionChange = service.imports({
  operation: 'importAttributionChange',
  label: '导入归属变更',
  access: may['attribution.edit'],
});
