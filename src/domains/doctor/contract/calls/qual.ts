import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  emptyToNull,
  flag,
  dayOr,
  id,
  idOut,
  instant,
  instantOut,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import {
  checkCodes,
  certTypes,
  humanVerdicts,
  machineResults,
  qualApplyTypes,
  qualRejectReasons,
  recheckReasons,
  sourceTypes,
  titles,
  verifySources,
} from '../dictionaries.ts';
import { at, mobile } from '../fields.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { qualApplyMachine } from '../states.ts';

const service = declareService('ApproveService');
const state = qualApplyMachine.dictionary.schema;

const qualQueues = ['WAITING', 'MINE', 'RECHECK', 'RETURNED'] as const;
export type QualQueue = (typeof qualQueues)[number];
const qualFilters = {
  /** Tab: waiting for anybody, held by me, waiting for the second person, returned to the doctor. */
  queue: field('队列', z.optional(z.enum(qualQueues, '队列不正确'))),
  applyNo: z.optional(wholeText('审核单号', 30)),
  name: z.optional(personName('姓名', 30)),
  mobile: z.optional(mobile),
  applyType: field('申请类型', z.optional(several(qualApplyTypes.schema))),
  state: z.optional(several(state)),
  submittedFrom: field('提交时间起', z.optional(instant)),
  submittedTo: field('提交时间止', z.optional(instant)),
  overdue: field('是否超时', z.optional(flag)),
};
const qualRow = z.strictObject({
  id: idOut,
  applyNo: field('审核单号', z.string()),
  applyType: field('申请类型', qualApplyTypes.schema),
  doctorId: idOut,
  doctorNo: field('医生编号', z.string()),
  name: field('姓名', z.string()),
  titleCode: field('职称', z.nullable(titles.schema)),
  hospitalName: field('执业机构', textOrNull, { width: 224 }),
  mobileMasked: field('手机号', z.string()),
  source: field('来源', sourceTypes.schema),
  state: field('状态', state),
  round: field('轮次', z.int()),
  submittedAt: field('提交时间', z.nullable(instantOut)),
  dueAt: field('应完成时间', z.nullable(instantOut)),
  overdue: field('是否超时', z.boolean()),
  handler: field('初审人', textOrNull),
  recheckReason: field('复核原因', z.nullable(recheckReasons.schema)),
  returnedAt: textOrNull,
  failed: field('异常要点', z.int()),
  mine: z.boolean(),
  version: z.int(),
});
export type QualRow = z.output<typeof qualRow>;
export const queryQualApplyList = service.list({
  operation: 'queryQualApplyList',
  label: '查询资质审核单',
  access: may['qual.view'],
  filter: qualFilters,
  output: qualRow,
});
export const exportQualApplyList = exportOf(queryQualApplyList, {
  operation: 'exportQualApplyList',
  label: '导出资质审核单',
  access: may['qual.export'],
});
export const queryQualApplyCounts = service.read({
  operation: 'queryQualApplyCounts',
  label: '查询资质审核队列',
  access: may['qual.view'],
  input: {},
  output: z.strictObject({ WAITING: z.int(), MINE: z.int(), RECHECK: z.int(), RETURNED: z.int() }),
});

/** Fields of a certificate that are compared: printed, typed, in force. */
const reading = z.strictObject({
  certNo: textOrNull,
  holderName: textOrNull,
  hospitalName: textOrNull,
  titleCode: textOrNull,
  validTo: textOrNull,
});
export type CertReading = z.output<typeof reading>;
const cert = z.strictObject({
  id: z.string(),
  certType: certTypes.schema,
  hospitalName: textOrNull,
  fileIds: z.array(idOut),
  issuer: z.string(),
  issuedOn: textOrNull,
  validFrom: textOrNull,
  validTo: textOrNull,
  /** Typed by the doctor; read by machine; confirmed by the auditor. Numbers are masked until they are revealed. */
  typed: reading,
  read: reading,
  confirmed: reading,
  verifySource: z.nullable(verifySources.schema),
  verifyFileId: textOrNull,
  /** The one in force, which it would replace. */
  former: z.nullable(
    z.strictObject({
      qualApplyId: textOrNull,
      fileIds: z.array(idOut),
      certNo: textOrNull,
      holderName: textOrNull,
      hospitalName: textOrNull,
      titleCode: textOrNull,
      validTo: textOrNull,
      state: z.string(),
    }),
  ),
});
export type QualCert = z.output<typeof cert>;
const check = z.strictObject({
  checkCode: checkCodes.schema,
  machineResult: machineResults.schema,
  explain: z.string(),
  hard: z.boolean(),
  humanVerdict: z.nullable(humanVerdicts.schema),
  note: z.string(),
});
export type QualCheckRow = z.output<typeof check>;
const fact = z.strictObject({ key: z.string(), label: z.string(), proposed: z.string(), inForce: z.string(), changed: z.boolean() });
const similar = z.strictObject({
  doctorId: idOut,
  doctorNo: z.string(),
  name: z.string(),
  hospitalName: textOrNull,
  qualState: z.string(),
  why: z.array(z.string()),
});
const qualDetail = z.strictObject({
  id: idOut,
  applyNo: z.string(),
  applyType: qualApplyTypes.schema,
  doctorId: idOut,
  doctorNo: z.string(),
  name: z.string(),
  avatarFileId: textOrNull,
  source: sourceTypes.schema,
  state,
  round: z.int(),
  submittedAt: textOrNull,
  dueAt: textOrNull,
  facts: z.array(fact),
  certs: z.array(cert),
  checks: z.array(check),
  similar: z.array(similar),
  hospitalPending: z.nullable(z.strictObject({ hospitalApplyId: idOut, name: z.string() })),
  lease: z.nullable(z.strictObject({ displayName: z.string(), mine: z.boolean(), until: at, token: textOrNull })),
  firstAuditor: textOrNull,
  recheckReason: z.nullable(recheckReasons.schema),
  rejectReasons: z.array(qualRejectReasons.schema),
  returnItems: z.array(z.string()),
  doctorWording: z.string(),
  internalNote: z.string(),
  /** I typed it in or was the first to pass it. */
  mine: z.boolean(),
  passedByMe: z.boolean(),
  version: z.int(),
  allowedActions: z.array(z.string()),
  trail,
});
export type QualDetail = z.output<typeof qualDetail>;
export const queryQualApplyDetail = service.read({
  operation: 'queryQualApplyDetail',
  label: '查询资质审核单详情',
  access: may['qual.view'],
  input: { applyId: field('申请', id) },
  output: qualDetail,
});
/** Numbers in full, to compare them with the pictures. */
export const revealQualApply = service.act({
  operation: 'revealQualApply',
  label: '查看资质审核单证件号',
  access: may['sensitive.reveal'],
  log: 'REVEAL',
  input: { applyId: field('申请', id) },
  output: z.strictObject({
    idNo: textOrNull,
    formerIdNo: textOrNull,
    certs: z.array(z.strictObject({ id: z.string(), typed: textOrNull, read: textOrNull, confirmed: textOrNull, former: textOrNull })),
  }),
});

const leased = z.strictObject({
  id: idOut,
  state,
  version: z.int(),
  allowedActions: z.array(z.string()),
  leaseToken: z.string(),
  leaseUntil: at,
});
const leaseToken = field('审核占用', z.string('缺少审核占用').check(z.minLength(1, '缺少审核占用'), z.maxLength(64, '审核占用不正确')));
export const claimQualApply = service.act({
  operation: 'claimQualApply',
  label: '领取资质审核单',
  access: may['qual.audit'],
  input: { applyId: field('申请', id) },
  output: leased,
});
export const claimNextQualApply = service.act({
  operation: 'claimNextQualApply',
  label: '领取下一件资质审核单',
  access: may['qual.audit'],
  input: {},
  output: leased,
});
export const heartbeatQualApply = service.act({
  operation: 'heartbeatQualApply',
  label: '延续资质审核占用',
  access: may['qual.audit'],
  silent: true,
  input: { applyId: field('申请', id), leaseToken },
  output: z.strictObject({ leaseUntil: at }),
});
export const releaseQualApply = service.act({
  operation: 'releaseQualApply',
  label: '退回资质审核任务池',
  access: may['qual.audit'],
  message: '已退回',
  input: { applyId: field('申请', id), leaseToken },
  output: actionAnswer,
});

const note = optionalText('理由', 200);
const confirmed = z.strictObject({
  certNo: z.optional(text('证件编号', 60)),
  holderName: z.optional(personName('证件姓名', 30)),
  hospitalName: z.optional(text('证件上的执业机构', 100)),
  titleCode: field('职称', z.optional(z.nullable(titles.schema))),
  validTo: field('有效期结束', z.optional(emptyToNull(dayOr('日期格式应为YYYY-MM-DD')))),
});
/** What an auditor has found so far; kept while he types. */
export const saveQualApplyWork = service.act({
  operation: 'saveQualApplyWork',
  label: '保存资质审核进度',
  access: may['qual.audit'],
  secrets: ['certs'],
  input: {
    applyId: field('申请', id),
    leaseToken,
    checks: field(
      '核验项',
      z._default(
        z
          .array(
            z.strictObject({
              checkCode: field('核验项', checkCodes.schema),
              humanVerdict: field('人工结论', z.nullable(humanVerdicts.schema)),
              note,
            }),
          )
          .check(z.maxLength(20, '要点过多')),
        [],
      ),
    ),
    certs: field(
      '证件',
      z._default(
        z
          .array(
            z.strictObject({
              id: text('证件', 10, 1),
              extracted: field('识别结果', z.optional(confirmed)),
              verifySource: field('核对来源', z.optional(z.nullable(verifySources.schema))),
              fileId: field('证明文件', z.optional(z.nullable(id))),
            }),
          )
          .check(z.maxLength(12, '证件过多')),
        [],
      ),
    ),
  },
  output: z.strictObject({ checks: z.array(check), savedAt: at }),
});

const actions = ['pass', 'return', 'reject', 'recheckPass', 'recheckReturn', 'recheckReject', 'withdraw'] as const;
export type QualAction = (typeof actions)[number];
export const auditQualApply = service.act({
  operation: 'auditQualApply',
  label: '审核医生资质',
  access: access.byAction(
    'action',
    {
      recheckPass: may['qual.recheck'],
      recheckReturn: may['qual.recheck'],
      recheckReject: may['qual.recheck'],
      withdraw: may['qual.enter'],
    },
    may['qual.audit'],
  ),
  message: '修改成功!',
  idempotency: 'required',
  input: {
    applyId: field('申请', id),
    version,
    leaseToken: field('审核占用', z.optional(leaseToken)),
    action: field('审核结论', z.enum(actions, '请选择审核结论')),
    opinion: optionalText('意见', 500),
    rejectReasons: field('不通过原因', z._default(z.array(qualRejectReasons.schema).check(z.maxLength(9, '不通过原因过多')), [])),
    doctorWording: optionalText('对医生说明', 500),
    internalNote: optionalText('内部备注', 500),
    /** What the doctor has to hand in again: kinds of certificates, names of facts. */
    items: z._default(z.array(text('需补充的内容', 30, 1)).check(z.maxLength(20, '需补充的内容过多')), []),
  },
  output: z.strictObject({
    id: idOut,
    state,
    version: z.int(),
    allowedActions: z.array(z.string()),
    recheckReason: z.nullable(recheckReasons.schema),
  }),
});
