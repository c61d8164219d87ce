import * as z from 'zod/mini';
import { access, call } from '../../../kernel/contract/call.ts';
import { day, flag, id, idOut, instant, opinion, several, text, version } from '../../../kernel/contract/fields.ts';
import { importFields, importStarted } from '../../../kernel/contract/importing.ts';
import { trail } from '../../../kernel/contract/trail.ts';
import { attributionMethods, subjectTypes } from './dictionaries.ts';
import { actionAnswer, at, textOrNull } from './fields.ts';
import { exportOf, listOf, readOf, sought } from './orderFields.ts';
import { attributionChangeMachine } from './orderStates.ts';
import { doctorPermissions as may } from './permissions.ts';

const service = 'DoctorPatientChannelService';
const view = may['attribution.view'];
const idOrNull = z.nullable(idOut);
const atOrNull = z.nullable(at);

/** Steps of the funnel, in order. */
export const funnelSteps = ['SCANNED', 'REGISTERED', 'VERIFIED', 'FIRST_ORDER', 'REPEAT'] as const;
export type FunnelStep = (typeof funnelSteps)[number];

const filters = {
  name: sought('姓名', 30),
  mobile: z.optional(z.string().check(z.regex(/^1\d{10}$/, '手机号格式不正确'))),
  channelId: z.optional(id),
  sceneCodeId: z.optional(id),
  sceneCodeNo: sought('场景码', 24),
  agentId: z.optional(id),
  doctorId: z.optional(id),
  method: z.optional(several(attributionMethods.schema)),
  from: z.optional(instant),
  to: z.optional(instant),
  /** People of a channel, or of those without one, who got at least this far. */
  step: z.optional(z.enum(funnelSteps, '漏斗环节不正确')),
  organic: z.optional(flag),
};
const row = z.strictObject({
  id: idOut,
  subjectType: subjectTypes.schema,
  subjectId: idOut,
  subjectNo: textOrNull,
  subjectName: z.string(),
  mobileMasked: textOrNull,
  channelId: idOrNull,
  channelName: textOrNull,
  sceneCodeId: idOrNull,
  sceneCodeNo: textOrNull,
  agentId: idOrNull,
  agentName: textOrNull,
  viaDoctorId: idOrNull,
  viaDoctorName: textOrNull,
  method: attributionMethods.schema,
  scannedAt: atOrNull,
  startedAt: at,
  changes: z.int(),
  verified: z.boolean(),
  orders: z.int(),
  pendingChange: z.boolean(),
});
export type AttributionRow = z.output<typeof row>;
export const queryDoctorChannelList = listOf(service, 'queryDoctorChannelList', '查询医生渠道归属', view, filters, row);
export const queryPatientChannelList = listOf(service, 'queryPatientChannelList', '查询患者渠道归属', view, filters, row);
export const exportAttributionList = exportOf(service, 'exportAttributionList', '导出渠道归属', may['attribution.export'], {
  subjectType: z._default(subjectTypes.schema, 'DOCTOR'),
  ...filters,
});

/** Everything that is known of one subject's ways here. */
export const queryAttributionTrail = readOf(
  service,
  'queryAttributionTrail',
  '查看归属轨迹',
  view,
  { subjectType: subjectTypes.schema, subjectId: id },
  z.strictObject({
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
);

const period = { subjectType: subjectTypes.schema, from: day, to: day, channelIds: z.optional(several(id, 20)) };
const funnelRow = z.strictObject({
  channelId: idOrNull,
  channelName: z.string(),
  steps: z.array(
    z.strictObject({ step: z.enum(funnelSteps), n: z.int(), /** Of the step before, in basis points. */ rateBp: z.nullable(z.int()) }),
  ),
});
export type FunnelRow = z.output<typeof funnelRow>;
/** The channels with the most people, and all together first. */
export const queryChannelFunnel = readOf(service, 'queryChannelFunnel', '查询渠道漏斗', view, period, z.array(funnelRow));

const change = z.strictObject({
  id: idOut,
  changeNo: z.string(),
  subjectType: subjectTypes.schema,
  subjectId: idOut,
  subjectName: z.string(),
  fromChannelName: textOrNull,
  toChannelName: textOrNull,
  fromAgentName: textOrNull,
  toAgentName: textOrNull,
  effectiveOn: z.string(),
  reason: z.string(),
  source: z.enum(['MANUAL', 'IMPORT']),
  makerId: idOut,
  makerName: textOrNull,
  checkerName: textOrNull,
  opinion: textOrNull,
  decidedAt: atOrNull,
  performedAt: atOrNull,
  state: attributionChangeMachine.dictionary.schema,
  version: z.int(),
  createdAt: at,
  allowedActions: z.array(z.string()),
});
export type AttributionChangeRow = z.output<typeof change>;
const changeFilters = {
  changeNo: sought('变更单号', 24),
  name: sought('姓名', 30),
  subjectType: z.optional(subjectTypes.schema),
  state: z.optional(several(attributionChangeMachine.dictionary.schema)),
  channelId: z.optional(id),
  from: z.optional(instant),
  to: z.optional(instant),
};
export const queryAttributionChangeList = listOf(service, 'queryAttributionChangeList', '查询归属变更', view, changeFilters, change);
export const exportAttributionChangeList = exportOf(
  service,
  'exportAttributionChangeList',
  '导出归属变更',
  may['attribution.export'],
  changeFilters,
);
export const queryAttributionChangeDetail = readOf(
  service,
  'queryAttributionChangeDetail',
  '查看归属变更',
  view,
  { id },
  z.strictObject({
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
);

export const changeReason = text('变更原因', 500, 2);
export const addAttributionChange = call({
  host: 'admin',
  service,
  operation: 'addAttributionChange',
  kind: 'command',
  shape: 'data',
  label: '申请归属变更',
  access: access.permission(may['attribution.edit']),
  message: '变更申请已提交!',
  input: z.strictObject({
    subjectType: subjectTypes.schema,
    subjectId: id,
    toChannelId: z.nullable(id),
    toAgentId: z._default(z.nullable(id), null),
    effectiveOn: day,
    reason: changeReason,
    evidenceFileIds: z._default(z.array(id).check(z.maxLength(9, '证明材料最多9个')), []),
  }),
  output: actionAnswer,
});
export const auditAttributionChange = call({
  host: 'admin',
  service,
  operation: 'auditAttributionChange',
  kind: 'command',
  shape: 'data',
  label: '审批归属变更',
  access: access.byAction('action', { cancel: may['attribution.edit'] }, may['attribution.audit']),
  input: z.strictObject({ id, version, action: z.enum(['approve', 'reject', 'cancel'], '操作不正确'), opinion: z.optional(opinion) }),
  output: actionAnswer,
});
/** Papers behind an application. */
export const EVIDENCE_PURPOSE = 'ATTRIBUTION_EVIDENCE';
export const ATTRIBUTION_IMPORTER = 'doctor.attributionChange';
/** One row per subject; each becomes an application that a second person decides on. */
export const importAttributionChange = call({
  host: 'admin',
  service,
  operation: 'importAttributionChange',
  kind: 'command',
  shape: 'data',
  log: 'IMPORT',
  label: '导入归属变更',
  access: access.permission(may['attribution.edit']),
  input: z.strictObject(importFields),
  output: importStarted,
});
