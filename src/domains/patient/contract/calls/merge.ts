import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { flag, id, idOut, instantOut, optionalText, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { personBrief } from '../fields.ts';
import { patientPermissions as may } from '../permissions.ts';
import { mergeMachine } from '../states.ts';

const service = declareService('PatientMergeService');
const state = mergeMachine.dictionary.schema;
const make = may['merge.make'];

const mergeRow = z.strictObject({
  id: idOut,
  mergeNo: field('合并单号', z.string(), { width: 144 }),
  from: personBrief,
  into: personBrief,
  evidence: field('依据', z.array(z.string()), { width: 160 }),
  reason: field('原因', z.string(), { width: 240 }),
  state: field('状态', state),
  suggested: z.boolean(),
  maker: textOrNull,
  checker: field('审批人', textOrNull),
  opinion: field('意见', textOrNull, { width: 240 }),
  createdAt: field('申请时间', instantOut),
  decidedAt: field('审批时间', z.nullable(instantOut)),
  undoneAt: textOrNull,
  version: z.int(),
  mine: z.boolean(),
  allowedActions: z.array(z.string()),
});
export type MergeRow = z.output<typeof mergeRow>;
const filters = {
  state: z.optional(several(state)),
  keyword: z.optional(text('合并单号或患者编号', 40)),
  patientId: field('患者', z.optional(id)),
};
export const queryPatientMergeList = service.list({
  operation: 'queryPatientMergeList',
  label: '查询档案合并',
  access: access.byAction('scope', { MAKE: may['merge.make'] }, may['merge.audit']),
  filter: { scope: field('查看范围', z._default(z.enum(['MAKE', 'AUDIT']), 'AUDIT')), ...filters },
  output: mergeRow,
});
export const exportPatientMergeList = exportOf(queryPatientMergeList, {
  operation: 'exportPatientMergeList',
  label: '导出档案合并',
  access: may['merge.audit'],
});
export const previewPatientMerge = service.read({
  operation: 'previewPatientMerge',
  label: '比对患者档案',
  access: access.byAction('scope', { MAKE: may['merge.make'] }, may['merge.audit']),
  input: {
    fromId: field('被合并患者', id),
    intoId: field('保留患者', id),
    scope: field('查看范围', z._default(z.enum(['MAKE', 'AUDIT']), 'MAKE')),
  },
  output: z.strictObject({
    from: personBrief,
    into: personBrief,
    evidence: z.array(z.string()),
    rows: z.array(z.strictObject({ field: z.string(), label: z.string(), from: textOrNull, into: textOrNull, same: z.boolean() })),
    counts: z.array(z.strictObject({ label: z.string(), from: z.int(), into: z.int() })),
    /** Both accounts were used in the last 30 days: approval needs `confirmed`. */
    bothRecent: z.boolean(),
    /** Text of the refusal that an application would get now. */
    refusal: textOrNull,
  }),
});
export const addPatientMerge = service.act({
  operation: 'addPatientMerge',
  label: '申请合并档案',
  access: make,
  message: '提交成功!',
  input: {
    fromId: field('被合并患者', id),
    intoId: field('保留患者', id),
    reason: text('合并原因', 200, 2),
    confirmed: field('确认', z._default(flag, false)),
  },
  output: mergeRow,
});
export const auditPatientMerge = service.act({
  operation: 'auditPatientMerge',
  label: '审批档案合并',
  access: may['merge.audit'],
  message: '操作成功!',
  input: {
    id,
    version,
    action: field('操作', z.enum(['approve', 'reject', 'undo'], '操作不正确')),
    opinion: optionalText('意见', 500),
    confirmed: field('确认', z._default(flag, false)),
  },
  output: mergeRow,
});
