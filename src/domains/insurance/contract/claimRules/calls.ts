import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, optionalText, text, version } from '#kernel/contract/fields.ts';
import { conditionGroup } from '#kernel/contract/rules/groups.ts';
import { ADDED, CHANGED } from '#kernel/contract/service.ts';
import { claimTypes, materialTypes, MOST_MATERIALS } from '../businessLines.ts';
import { productPermissions } from '../permissions.ts';
import { ruleOutcomes, ruleTypes } from './dictionaries.ts';
import { claimRuleService } from './service.ts';

const code = z.string().check(z.regex(/^[A-Z0-9_]{1,24}$/, '责任编码不正确'));

export const claimRuleFacts = z.strictObject({
  ruleCode: field(
    '规则编码',
    z.string('请输入规则编码').check(z.trim(), z.regex(/^[A-Z0-9_]{2,24}$/, '规则编码须为2-24位大写字母、数字或下划线')),
  ),
  ruleName: text('规则名称', 40, 1),
  ruleType: field('规则类型', ruleTypes.schema),
  benefitCodes: field('适用责任', z.array(code).check(z.maxLength(30))),
  claimTypes: field('理赔类型', z.array(claimTypes.schema).check(z.maxLength(4, '理赔类型最多4种'))),
  expression: conditionGroup,
  outcome: field('处理', ruleOutcomes.schema),
  materialTypes: field('补件材料', z.array(materialTypes.schema).check(z.maxLength(MOST_MATERIALS, `补件材料最多${MOST_MATERIALS}种`))),
  reasonCode: field('核减原因', z.nullable(z.string().check(z.regex(/^L\d{2}$/, '核减原因不正确')))),
  applicantText: optionalText('对客说明', 200),
  internalNote: optionalText('内部备注', 200),
  priority: field('优先级', z.int('优先级须为整数').check(z.minimum(1, '优先级不能小于1'), z.maximum(999, '优先级不能大于999'))),
  enabled: field('启用', z.boolean()),
});
const facts = claimRuleFacts.shape;
const saved = z.strictObject({ claimRuleId: idOut, version: z.int() });

export const addClaimRule = claimRuleService.act({
  operation: 'addClaimRule',
  label: '新增理赔规则',
  access: productPermissions['product.edit'],
  ...ADDED,
  input: { productVersionId: field('产品版本', id), ...facts },
  output: saved,
});
export const modifyClaimRule = claimRuleService.act({
  operation: 'modifyClaimRule',
  label: '修改理赔规则',
  access: productPermissions['product.edit'],
  ...CHANGED,
  input: { claimRuleId: field('理赔规则', id), version, ...facts },
  output: saved,
});
export const removeClaimRule = claimRuleService.act({
  operation: 'removeClaimRule',
  label: '删除理赔规则',
  access: productPermissions['product.edit'],
  ...CHANGED,
  input: { claimRuleId: field('理赔规则', id), version },
  output: z.strictObject({ claimRuleId: idOut }),
});
