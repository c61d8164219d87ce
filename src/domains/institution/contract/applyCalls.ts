import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, idOut, instant, instantOut, optionalText, several, text, textOrNull, version, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { namedAs } from '#kernel/contract/labels.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { applicantTypes, applyTypes, hospitalLevels } from './dictionaries.ts';
import { candidate } from './duplicateCalls.ts';
import { adcode, at, mobile } from './fields.ts';
import { hospitalFacts, type HospitalFacts } from './hospitalCalls.ts';
import { institutionMachinePermissions as machine, institutionPermissions as may } from './permissions.ts';
import { applyMachine } from './states.ts';

const service = declareService('HospitalService');
const gateway = declareService('HospitalService', 'gateway');
const state = applyMachine.dictionary.schema;

type Payload = { [K in keyof HospitalFacts]: z.ZodMiniOptional<z.ZodMiniType<HospitalFacts[K], z.input<(typeof hospitalFacts)[K]>>> };
const bare = (schema: z.ZodMiniType): z.ZodMiniType =>
  schema instanceof z.ZodMiniDefault ? (schema.def.innerType as z.ZodMiniType) : schema;
const optional: Record<string, z.ZodMiniOptional<z.ZodMiniType>> = Object.fromEntries(
  Object.entries(hospitalFacts).map(([key, schema]) => [key, namedAs(schema, z.optional(bare(schema)))]),
);
/** Proposed facts: a change names only what it changes, so every field may be absent and none has a default here. */
export const applyPayload = field('医院资料', z.strictObject(optional as Payload));
const fileIds = field('证明材料', z._default(z.array(id).check(z.maxLength(10, '最多上传10个文件')), []));

const applyFilters = {
  /** Tab: waiting, being worked on by me, decided. */
  tab: field('页签', z.optional(z.enum(['WAITING', 'MINE', 'DONE'], '分类不正确'))),
  applyNo: z.optional(wholeText('申请单号', 30)),
  name: z.optional(text('医院名称', 50)),
  applyType: field('申请类型', z.optional(several(applyTypes.schema))),
  applicant: z.optional(text('申请人', 50)),
  applicantType: field('来源', z.optional(several(applicantTypes.schema))),
  adcode: z.optional(adcode),
  state: z.optional(several(state)),
  createdFrom: field('创建时间起', z.optional(instant)),
  createdTo: field('创建时间止', z.optional(instant)),
};
const applyRow = z.strictObject({
  id: idOut,
  applyNo: field('申请单号', z.string(), { width: 160 }),
  applyType: field('类型', applyTypes.schema),
  name: field('医院名称', z.string(), { width: 260 }),
  level: field('等级', z.nullable(hospitalLevels.schema)),
  region: field('地区', z.string(), { width: 190 }),
  applicantType: field('来源', applicantTypes.schema),
  applicantName: field('申请人', z.string()),
  topScore: field('疑似重复', z.int()),
  createdAt: field('申请时间', instantOut),
  state: field('状态', state),
  handler: field('处理人', textOrNull),
  mine: z.boolean(),
  version: z.int(),
  auditedAt: field('审核时间', z.nullable(instantOut)),
});
export type ApplyRow = z.output<typeof applyRow>;
export const queryHospitalAuditList = service.list({
  operation: 'queryHospitalAuditList',
  label: '查询医院申请',
  access: may['apply.view'],
  filter: applyFilters,
  output: applyRow,
});
export const exportHospitalAuditList = exportOf(queryHospitalAuditList, {
  operation: 'exportHospitalAuditList',
  label: '导出医院申请',
  access: may['apply.export'],
});

const applyDetail = z.strictObject({
  id: idOut,
  applyNo: z.string(),
  applyType: applyTypes.schema,
  hospitalId: textOrNull,
  payload: z.record(z.string(), z.unknown()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  /** The same facts as they stand now, for changes. */
  current: z.nullable(z.record(z.string(), z.unknown())),
  region: z.string(),
  applicantType: applicantTypes.schema,
  applicantName: z.string(),
  applicantMobile: textOrNull,
  evidence: z.array(z.strictObject({ fileId: idOut })),
  reason: z.string(),
  candidates: z.array(candidate),
  notDuplicate: z.array(z.string()),
  state,
  opinion: textOrNull,
  resultHospitalId: textOrNull,
  resultHospitalName: textOrNull,
  lease: z.nullable(z.strictObject({ displayName: z.string(), mine: z.boolean(), until: at })),
  mine: z.boolean(),
  version: z.int(),
  allowedActions: actionsOf(applyMachine, 'institution.hospitalApply'),
  createdAt: at,
  trail,
});
export type ApplyDetail = z.output<typeof applyDetail>;
export const queryHospitalAuditDetail = service.read({
  operation: 'queryHospitalAuditDetail',
  label: '查询医院申请详情',
  access: may['apply.view'],
  input: { applyId: field('申请', id) },
  output: applyDetail,
});

const leaseAnswer = z.extend(actionAnswer, { leaseUntil: textOrNull });
/** Takes the case; repeated by its holder it prolongs the lease. */
export const claimHospitalAudit = service.act({
  operation: 'claimHospitalAudit',
  label: '领取医院申请',
  access: may['apply.audit'],
  input: { applyId: field('申请', id) },
  output: leaseAnswer,
});
export const releaseHospitalAudit = service.act({
  operation: 'releaseHospitalAudit',
  label: '退回医院申请',
  access: may['apply.audit'],
  message: '已退回',
  input: { applyId: field('申请', id) },
  output: leaseAnswer,
});
export const auditHospital = service.act({
  operation: 'auditHospital',
  label: '审核医院申请',
  access: may['apply.audit'],
  message: '修改成功!',
  input: {
    applyId: field('申请', id),
    version,
    action: field('审核结论', z.enum(['approve', 'link', 'reject'], '请选择审核结论')),
    opinion: z._default(text('意见', 500), ''),
    payload: field('医院资料', z.optional(applyPayload)),
    linkHospitalId: field('关联医院', z.optional(id)),
    notDuplicate: field('非重复医院', z._default(z.array(id).check(z.maxLength(200, '候选过多')), [])),
  },
  output: z.extend(actionAnswer, { hospitalId: textOrNull }),
});
export const addHospitalApply = service.act({
  operation: 'addHospitalApply',
  label: '提交医院申请',
  access: may['apply.enter'],
  message: '提交成功!',
  input: {
    applyType: field('申请类型', applyTypes.schema),
    hospitalId: field('医院', z._default(z.nullable(id), null)),
    payload: applyPayload,
    evidenceFileIds: fileIds,
    reason: optionalText('说明', 500),
  },
  output: z.strictObject({ id: idOut, applyNo: z.string(), state, version: z.int(), topScore: z.int() }),
});
export const withdrawHospitalApply = service.act({
  operation: 'withdrawHospitalApply',
  label: '撤回医院申请',
  access: may['apply.enter'],
  message: '已撤回',
  input: { applyId: field('申请', id), version },
  output: actionAnswer,
});
/** For the doctors' and representatives' apps. */
export const applyHospital = gateway.act({
  operation: 'applyHospital',
  label: '提交医院申请（系统）',
  access: access.signed(machine.apply, 'MINI_APP'),
  secrets: ['applicantMobile'],
  input: {
    facts: applyPayload,
    evidenceFileIds: fileIds,
    applicantType: field('申请人类型', z.enum(['DOCTOR', 'AGENT'], '申请人类型不正确')),
    applicantId: text('申请人编号', 40, 1),
    applicantName: text('申请人', 50, 1),
    applicantMobile: mobile,
  },
  output: z.strictObject({ id: idOut, applyNo: z.string() }),
});
