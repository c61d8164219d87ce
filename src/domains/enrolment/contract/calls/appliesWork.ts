import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { duplicateOut, duplicateWork, materialWork, supplementIn } from '#kernel/contract/evidence.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instantOut, opinion, optionalId, optionalText, text, version } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { rowOutcomes } from '#kernel/contract/service.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import { applyQueues, humanVerdicts, recheckReasons, rejectReasons } from '../applyDictionaries.ts';
import { applyId, chronicGrade } from '../applyFields.ts';
import { applyMachine } from '../applyMachine.ts';
import { duplicateSignals } from '../duplicates.ts';
import { applyPermissions as may } from '../permissions.ts';
import { applyService, checkOut } from './applies.ts';

const state = applyMachine.dictionary.schema;
const queue = field('队列', z._default(applyQueues.schema, 'POOL'));
const byQueue = access.byAction('queue', { RECHECK: may['apply.recheck'] }, may['apply.audit']);
const acted = { id: idOut, state, version: z.int(), allowedActions: actionsOf(applyMachine) };
const leased = z.strictObject({ ...acted, leaseToken: z.string(), leaseUntil: instantOut });
const leaseToken = field('审核占用', z.string('缺少审核占用').check(z.minLength(1, '缺少审核占用'), z.maxLength(64, '审核占用不正确')));

export const claimSignContract = applyService.act({
  operation: 'claimSignContract',
  label: '领取入组申请',
  access: byQueue,
  input: { applyId, queue },
  output: leased,
});
export const claimNextSignContract = applyService.act({
  operation: 'claimNextSignContract',
  label: '领取下一件入组申请',
  access: byQueue,
  input: { queue },
  output: leased,
});
export const heartbeatSignContract = applyService.act({
  operation: 'heartbeatSignContract',
  label: '延续入组审核占用',
  access: byQueue,
  silent: true,
  input: { applyId, leaseToken, queue },
  output: z.strictObject({ leaseUntil: instantOut }),
});
export const releaseSignContract = applyService.act({
  operation: 'releaseSignContract',
  label: '退回入组任务池',
  access: byQueue,
  message: '已退回',
  input: { applyId, leaseToken, queue },
  output: z.strictObject(acted),
});
export const takeoverSignContract = applyService.act({
  operation: 'takeoverSignContract',
  label: '接管入组申请',
  access: may['apply.supervise'],
  input: { applyId, opinion },
  output: leased,
});
export const batchAssignSignContract = applyService.act({
  operation: 'batchAssignSignContract',
  label: '分配入组审核人',
  access: may['apply.supervise'],
  input: {
    applyIds: field('申请', z.array(id).check(z.minLength(1, '请选择申请'), z.maxLength(100, '一次最多分配100件'))),
    userId: field('审核人', id),
  },
  output: rowOutcomes,
});

const checkWork = z.strictObject({
  checkCode: text('审核要点', 24, 1),
  humanVerdict: field('人工结论', z.nullable(humanVerdicts.schema)),
  humanNote: optionalText('说明', 200),
});
/** What a reviewer has found so far; kept while he types, and decides nothing. */
export const saveSignContractWork = applyService.act({
  operation: 'saveSignContractWork',
  label: '保存入组审核进度',
  access: byQueue,
  secrets: ['materials'],
  input: {
    applyId,
    leaseToken,
    queue,
    materials: field('材料', z._default(z.array(materialWork).check(z.maxLength(100, '材料过多')), [])),
    checks: field('审核要点', z._default(z.array(checkWork).check(z.maxLength(60, '审核要点过多')), [])),
    duplicates: field('疑似重复', z._default(z.array(duplicateWork).check(z.maxLength(100, '疑似重复过多')), [])),
    /** Of HMO alone. */
    grade: field('风险分级', z.optional(z.strictObject({ chronicGrade, note: optionalText('分级说明', 200) }))),
  },
  output: z.strictObject({ checks: z.array(checkOut), duplicates: z.array(duplicateOut(duplicateSignals)), savedAt: instantOut }),
});

/** What an insurer concluded on paper. */
export const insurerConclusion = z.strictObject({ caseNo: text('保司案件号', 40, 1), fileId: field('保司结论凭证', optionalId) });
const actions = [
  'submit',
  'pass',
  'supplement',
  'reject',
  'recheckPass',
  'recheckReturn',
  'recheckReject',
  'insurerAccept',
  'insurerReject',
  'insurerReturn',
  'withdraw',
  'appeal',
  'revokeApproval',
] as const;
export type AuditAction = (typeof actions)[number];
export const auditSignContract = applyService.act({
  operation: 'auditSignContract',
  label: '审核入组申请',
  access: access.byAction(
    'action',
    {
      submit: may['apply.enter'],
      withdraw: may['apply.enter'],
      recheckPass: may['apply.recheck'],
      recheckReturn: may['apply.recheck'],
      recheckReject: may['apply.recheck'],
      insurerAccept: may['apply.insurer'],
      insurerReject: may['apply.insurer'],
      insurerReturn: may['apply.insurer'],
      appeal: may['apply.supervise'],
      revokeApproval: may['apply.supervise'],
    },
    may['apply.audit'],
  ),
  message: '处理成功!',
  idempotency: 'required',
  input: {
    applyId,
    version,
    leaseToken: field('审核占用', z.optional(leaseToken)),
    action: field('审核结论', z.enum(actions, '请选择审核结论')),
    opinion: optionalText('意见', 500),
    rejectReasons: field('不通过原因', z._default(z.array(rejectReasons.schema).check(z.maxLength(12, '不通过原因过多')), [])),
    applicantWording: optionalText('对客说明', 500),
    internalNote: optionalText('内部备注', 500),
    supplement: field('补件要求', z.optional(supplementIn(materialTypes))),
    insurer: field('保司结论', z.optional(insurerConclusion)),
  },
  output: z.strictObject({ ...acted, recheckReason: z.nullable(recheckReasons.schema) }),
});
export const recheckSignContractRules = applyService.act({
  operation: 'recheckSignContractRules',
  label: '重新校验入组申请',
  message: '已重新校验',
  access: may['apply.audit'],
  input: { applyId },
  output: z.array(checkOut),
});
