import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  flag,
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
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { checkMethods, checkResults, idTypes, minMethods, switchScenes, switchScopes } from '../dictionaries.ts';
import { at, fileIds, mobileForm, personBrief } from '../fields.ts';
import { patientPermissions as may } from '../permissions.ts';
import { realNameMachine } from '../states.ts';

const service = declareService('RealNameService');
const state = realNameMachine.dictionary.schema;
const verify = may['realName.verify'];
const audit = may['realName.audit'];

const check = z.strictObject({
  id: idOut,
  method: checkMethods.schema,
  name: z.string(),
  idType: idTypes.schema,
  idNoMasked: z.string(),
  mobileMasked: textOrNull,
  result: checkResults.schema,
  providerRef: textOrNull,
  fileIds: z.array(idOut),
  decidedBy: textOrNull,
  opinion: textOrNull,
  at,
});
/** What is asked of the provider or of a person now. */
const request = z.strictObject({
  id: idOut,
  method: field('核验方式', checkMethods.schema, { width: 128 }),
  name: field('提交姓名', z.string(), { mask: 'name' }),
  idType: field('提交证件类型', idTypes.schema),
  idNoMasked: field('提交证件号', z.string(), { width: 176 }),
  attempts: field('已核验次数', z.int()),
  fileIds: z.array(idOut),
  opinion: field('说明', textOrNull, { width: 240 }),
  requestedBy: textOrNull,
  at: field('提交时间', instantOut),
});
const checkFilters = {
  patientId: field('患者', z.optional(id)),
  patientKeyword: z.optional(personName('患者', 40)),
  state: z.optional(several(state)),
  method: field('核验方式', z.optional(checkMethods.schema)),
  from: field('开始日期', z.optional(day)),
  to: field('结束日期', z.optional(day)),
};
export const queryRealNameCheckList = service.list({
  operation: 'queryRealNameCheckList',
  label: '查询实名核验',
  access: access.byAction('scope', { VERIFY: may['realName.verify'] }, may['realName.audit']),
  /** `scope` says in which right the caller asks; the rows are the same. Queue of MANUAL: oldest first. */
  filter: { scope: field('查看范围', z._default(z.enum(['VERIFY', 'AUDIT']), 'AUDIT')), ...checkFilters },
  output: z.strictObject({
    patient: personBrief,
    state: field('实名状态', state),
    version: z.int(),
    request: z.nullable(request),
    mine: z.boolean(),
    allowedActions: z.array(z.string()),
  }),
});
export const exportRealNameCheckList = exportOf(queryRealNameCheckList, {
  operation: 'exportRealNameCheckList',
  label: '导出实名核验',
  access: audit,
});
export const queryRealNameHistory = service.read({
  operation: 'queryRealNameHistory',
  label: '查看实名核验记录',
  access: may['patient.view'],
  input: { patientId: field('患者', id) },
  output: z.strictObject({
    state,
    version: z.int(),
    checks: z.array(check),
    request: z.nullable(request),
    leftToday: z.int(),
    mine: z.boolean(),
    allowedActions: z.array(z.string()),
  }),
});
const answer = z.strictObject({
  patientId: idOut,
  state,
  version: z.int(),
  result: z.nullable(checkResults.schema),
  message: z.string(),
  allowedActions: z.array(z.string()),
});
/** Absent name and number: those of the record. */
export const addRealNameCheck = service.act({
  operation: 'addRealNameCheck',
  label: '发起实名核验',
  access: verify,
  secrets: ['idNo', 'mobile'],
  input: {
    patientId: field('患者', id),
    version,
    method: field('核验方式', z._default(minMethods.schema, 'ID2')),
    name: z.optional(personName('姓名', 32, 1)),
    idType: field('证件类型', z.optional(idTypes.schema)),
    idNo: field('证件号', z.optional(z.string().check(z.trim(), z.toUpperCase(), z.maxLength(32, '证件号过长')))),
    mobile: field('手机号', z.optional(z.string().check(z.trim(), z.maxLength(20, '手机号格式不正确'), mobileForm))),
  },
  output: answer,
});
export const auditRealName = service.act({
  operation: 'auditRealName',
  label: '人工核验实名',
  access: access.byAction('action', { toManual: may['realName.verify'] }, may['realName.audit']),
  secrets: ['idNo'],
  input: {
    patientId: field('患者', id),
    version,
    action: field('操作', z.enum(['toManual', 'manualPass', 'manualReject'], '操作不正确')),
    opinion: optionalText('意见', 500),
    fileIds: field('附件', fileIds()),
    /** With toManual: what the papers say, where it differs from what was tried. */
    name: z.optional(personName('姓名', 32, 1)),
    idType: field('证件类型', z.optional(idTypes.schema)),
    idNo: field('证件号', z.optional(z.string().check(z.trim(), z.toUpperCase(), z.maxLength(32, '证件号过长')))),
  },
  output: answer,
});
export const resetRealName = service.act({
  operation: 'resetRealName',
  label: '撤销实名',
  access: audit,
  input: { patientId: field('患者', id), version, opinion: text('意见', 500, 2) },
  output: answer,
});

/** Absent: at once, by the server's clock. */
const effectiveFrom = field('生效时间', z.optional(instant));
const switchFields = {
  scopeType: field('适用范围', switchScopes.schema),
  scopeId: field('适用对象', z._default(z.pipe(z.union([id, z.literal('0'), z.literal(0)]), z.transform(String)), '0')),
  scopeName: optionalText('适用对象', 60),
  scene: field('场景', switchScenes.schema),
  required: field('是否需要实名', flag),
  minMethod: field('最低核验方式', minMethods.schema),
  effectiveFrom,
  reason: text('原因', 200, 2),
};
const switchRow = z.strictObject({
  id: idOut,
  scopeType: switchScopes.schema,
  scopeId: z.string(),
  scopeName: z.string(),
  scene: switchScenes.schema,
  required: z.boolean(),
  minMethod: minMethods.schema,
  effectiveFrom: at,
  effective: z.boolean(),
  locked: z.boolean(),
  reason: z.string(),
  version: z.int(),
  updatedAt: at,
  updatedBy: textOrNull,
});
export type RealNameSwitch = z.output<typeof switchRow>;
export const queryRealNameSwitchList = service.list({
  operation: 'queryRealNameSwitchList',
  label: '查询实名开关',
  access: may['realNameSwitch.view'],
  filter: {
    scopeType: field('适用范围', z.optional(several(switchScopes.schema))),
    scopeId: field('适用对象', z.optional(id)),
    scene: field('场景', z.optional(several(switchScenes.schema))),
    keyword: z.optional(text('适用对象', 40)),
  },
  output: switchRow,
});
export const addRealNameSwitch = service.act({
  operation: 'addRealNameSwitch',
  label: '新增实名开关',
  access: may['realNameSwitch.edit'],
  message: '新增成功!',
  input: switchFields,
  output: switchRow,
});
export const modifyRealNameSwitch = service.act({
  operation: 'modifyRealNameSwitch',
  label: '修改实名开关',
  access: may['realNameSwitch.edit'],
  message: '修改成功!',
  input: {
    id,
    version,
    required: field('是否需要实名', flag),
    minMethod: field('最低核验方式', minMethods.schema),
    effectiveFrom,
    reason: text('原因', 200, 2),
  },
  output: switchRow,
});
export const delRealNameSwitch = service.act({
  operation: 'delRealNameSwitch',
  label: '删除实名开关',
  access: may['realNameSwitch.edit'],
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({ id: idOut }),
});

const resolved = z.strictObject({
  required: z.boolean(),
  minMethod: z.nullable(minMethods.schema),
  /** The row that decided (`FLOOR` without an id: what the service item demands by its nature); null when the law did. */
  decidedBy: z.nullable(z.strictObject({ id: z.nullable(idOut), scopeType: z.string(), scopeId: z.string(), scopeName: z.string() })),
});
export type ResolvedSwitch = z.output<typeof resolved>;
export const resolveRealNameSwitch = service.read({
  operation: 'resolveRealNameSwitch',
  label: '试算实名开关',
  access: may['realNameSwitch.view'],
  input: {
    scene: field('场景', switchScenes.schema),
    channelId: field('渠道', z.optional(id)),
    diseaseId: field('病种', z.optional(id)),
    itemId: field('服务项目', z.optional(id)),
    doctorId: field('医生', z.optional(id)),
  },
  /** `lockedBy`: what keeps a switch of the item (or, without one, of the scene) on. */
  output: z.extend(resolved, { lockedBy: z.nullable(z.enum(['LAW', 'FLOOR'])) }),
});
