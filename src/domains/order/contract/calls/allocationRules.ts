import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { flag, id, idOut, int4, several, text, optionalText, opinion } from '#kernel/contract/fields.ts';
import { acted, ADDED, CHANGED } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { orderPermissions as may } from '../permissions.ts';
import { strategies } from '../rules/allocation.ts';
import { ruleMachine, rulePhases } from '../ruleStates.ts';
import { allocationService } from './allocation.ts';
import { onRule, ruleCode, ruleDays, ruleDetail, ruleFacts, ruleRow } from './ruleFields.ts';

const MOST_CANDIDATES = 50;

export const ruleCandidate = z.strictObject({
  supplierId: field('供应商', id),
  priority: field('优先级', int4('优先级须为整数').check(z.minimum(1, '优先级须大于0'), z.maximum(999, '优先级不能大于999'))),
  /** Per cent; of another strategy than 按比例 nobody asks it. */
  weightPct: field('比例%', int4('比例须为整数').check(z.minimum(0, '比例不能小于0'), z.maximum(100, '比例不能大于100'))),
});
const facts = {
  ...ruleFacts,
  strategy: field('策略', strategies.schema),
  candidates: field(
    '候选供应商',
    z
      .array(ruleCandidate, '请至少选择一个候选供应商')
      .check(z.minLength(1, '请至少选择一个候选供应商'), z.maxLength(MOST_CANDIDATES, `候选供应商最多${MOST_CANDIDATES}个`)),
  ),
  allowSplit: field('允许拆单', flag),
  maxSplit: field('最多拆单数', int4('最多拆单数须为整数').check(z.minimum(1, '最多拆单数须大于0'), z.maximum(3, '最多拆3单'))),
};
const row = z.strictObject({
  ...ruleRow,
  strategy: field('策略', strategies.schema, { width: 100 }),
  candidatesText: field('候选供应商', z.string(), { width: 240 }),
  allowSplit: field('允许拆单', z.boolean(), { width: 90 }),
  maxSplit: field('最多拆单数', z.int(), { width: 100 }),
});
export type AllocationRuleRow = z.output<typeof row>;
export const queryAllocationRuleList = allocationService.list({
  operation: 'queryAllocationRuleList',
  label: '查询分配规则',
  access: may['rule.view'],
  filter: {
    rule: z.optional(text('规则', 60)),
    strategy: field('策略', z.optional(strategies.schema)),
    phase: field('状态', z.optional(several(rulePhases.schema))),
    ...sortedBy('priority', 'effectiveFrom', 'updatedAt'),
  },
  output: row,
});
export const exportAllocationRuleList = exportOf(queryAllocationRuleList, {
  operation: 'exportAllocationRuleList',
  label: '导出分配规则',
  access: may['rule.view'],
});
const detail = z.strictObject({
  rule: row,
  ...ruleDetail,
  candidates: z.array(z.strictObject({ ...ruleCandidate.shape, supplierName: z.string() })),
  trail,
});
export type AllocationRuleDetail = z.output<typeof detail>;
export const queryAllocationRuleDetail = allocationService.read({
  operation: 'queryAllocationRuleDetail',
  label: '查看分配规则',
  access: may['rule.view'],
  input: { id: field('规则', id) },
  output: detail,
});

const answer = acted(ruleMachine.dictionary.schema);
export const addAllocationRule = allocationService.act({
  operation: 'addAllocationRule',
  label: '新增分配规则',
  access: may['rule.edit'],
  ...ADDED,
  input: z.strictObject({ ruleCode, ...facts }).check(ruleDays),
  output: answer,
});
/** A draft changes; of a rule that was approved a next version is begun. */
export const modifyAllocationRule = allocationService.act({
  operation: 'modifyAllocationRule',
  label: '修改分配规则',
  access: may['rule.edit'],
  ...CHANGED,
  input: z.strictObject({ ...onRule, ...facts }).check(ruleDays),
  output: answer,
});
export const submitAllocationRule = allocationService.act({
  operation: 'submitAllocationRule',
  label: '提交分配规则',
  access: may['rule.edit'],
  message: '提交成功!',
  input: onRule,
  output: answer,
});
export const auditAllocationRule = allocationService.act({
  operation: 'auditAllocationRule',
  label: '审批分配规则',
  access: may['rule.approve'],
  message: '审核完成!',
  input: {
    ...onRule,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const enableAllocationRule = allocationService.act({
  operation: 'enableAllocationRule',
  label: '启用分配规则',
  access: may['rule.approve'],
  message: '启用成功!',
  input: { ...onRule, opinion: optionalText('意见', 500) },
  output: answer,
});
export const disableAllocationRule = allocationService.act({
  operation: 'disableAllocationRule',
  label: '停用分配规则',
  access: may['rule.approve'],
  message: '停用成功!',
  input: { ...onRule, opinion },
  output: answer,
});

/** What the rules see of an order, to try a rule with. */
export const queryRuleFacts = allocationService.read({
  operation: 'queryRuleFacts',
  label: '查询订单的规则变量',
  access: may['rule.edit'],
  input: { orderNo: text('订单号', 40, 1) },
  output: z.strictObject({
    orderId: idOut,
    orderNo: z.string(),
    facts: z.array(z.strictObject({ variable: z.string(), name: z.string(), value: z.string(), valueText: z.string() })),
  }),
});
