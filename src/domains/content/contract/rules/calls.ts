import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { flag, id, idOut, instantOut, several, text, version, wholeText } from '#kernel/contract/fields.ts';
import { extendedOperators } from '#kernel/contract/rules/rule.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { markColors, objectTypes } from '../marks/dictionaries.ts';
import { markPermissions } from '../marks/permissions.ts';
import { conditionRow, conditionRows } from './conditions.ts';
import { ruleSchedules, runStates } from './dictionaries.ts';
import { rulePermissions as may } from './permissions.ts';
import { ruleStates } from './states.ts';

const service = declareService('MarkRuleService');
const keep = may['mark.rule'];
const view = markPermissions['content.view'];

const row = z.strictObject({
  id: idOut,
  ruleNo: field('规则编号', z.string(), { width: 110 }),
  markId: idOut,
  markCode: field('标签编码', z.string(), { width: 110 }),
  markName: field('标签', z.string(), { width: 130 }),
  groupName: field('标签组', z.string(), { width: 130 }),
  color: markColors.schema,
  objectType: field('对象', objectTypes.schema, { width: 80 }),
  sentence: field('条件', z.string(), { width: 260 }),
  conditions: z.array(conditionRow),
  removeWhenFalse: field('不满足时移除', z.boolean(), { width: 110 }),
  schedule: field('方式', ruleSchedules.schema, { width: 100 }),
  lastRunAt: field('最近执行', z.nullable(instantOut)),
  lastAdded: field('最近新增', z.nullable(z.int()), { width: 90 }),
  lastRemoved: field('最近移除', z.nullable(z.int()), { width: 90 }),
  lastRunState: field('执行结果', z.nullable(runStates.schema), { width: 100 }),
  publishedSeq: field('发布次数', z.int(), { width: 90 }),
  state: ruleStates.dictionary.schema,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type RuleRow = z.output<typeof row>;

/** Rules of medical marks of patients only for who may see them. */
export const queryMarkRuleList = service.list({
  operation: 'queryMarkRuleList',
  label: '查询打标规则',
  access: view,
  filter: {
    ...sortedBy('ruleNo', 'markCode', 'publishedSeq', 'lastRunAt', 'lastAdded', 'lastRemoved'),
    ruleNo: z.optional(wholeText('规则编号', 20)),
    markName: z.optional(text('标签', 12)),
    objectType: field('对象', z.optional(objectTypes.schema)),
    schedule: field('方式', z.optional(several(ruleSchedules.schema))),
    state: field('状态', z.optional(several(ruleStates.dictionary.schema))),
  },
  output: row,
});
export const exportMarkRuleList = exportOf(queryMarkRuleList, {
  operation: 'exportMarkRuleList',
  label: '导出打标规则',
  access: markPermissions['content.export'],
});

const variable = z.strictObject({
  code: z.string(),
  name: z.string(),
  valueType: z.enum(['NUMBER', 'OPTION', 'TEXT']),
  operators: z.array(z.enum(extendedOperators)),
  unit: z.string(),
  decimals: z.int(),
  options: z.array(z.strictObject({ value: z.string(), label: z.string() })),
  source: z.string(),
});
export type RuleVariableRow = z.output<typeof variable>;

/** What rules may ask of a kind of thing; nothing where its owner registers nothing. */
export const queryMarkVariableList = service.read({
  operation: 'queryMarkVariableList',
  label: '查询打标变量',
  access: view,
  input: { objectType: field('对象', objectTypes.schema) },
  output: z.array(variable),
});

const facts = {
  markId: field('标签', id),
  conditions: conditionRows,
  removeWhenFalse: field('不满足时移除', z._default(flag, true)),
  schedule: field('方式', ruleSchedules.schema),
};
export const ruleLabels = { markName: '标签', sentence: '条件', removeWhenFalse: '不满足时移除', schedule: '方式' };

export const addMarkRule = service.act({
  operation: 'addMarkRule',
  label: '新增打标规则',
  access: keep,
  message: '添加成功!',
  input: facts,
  output: actionAnswer,
});
export const modifyMarkRule = service.act({
  operation: 'modifyMarkRule',
  label: '修改打标规则',
  access: keep,
  input: { id, version, ...facts },
  output: actionAnswer,
});
export const delMarkRule = service.act({
  operation: 'delMarkRule',
  label: '删除打标规则',
  access: keep,
  input: { id, version },
  output: z.strictObject({}),
});
/** By whoever keeps rules; beyond the limit by a supervisor. */
export const publishMarkRule = service.act({
  operation: 'publishMarkRule',
  label: '发布打标规则',
  access: access.owner(may['mark.rule'], may['mark.supervise']),
  input: { id, version },
  output: actionAnswer,
});
export const operateMarkRule = service.act({
  operation: 'operateMarkRule',
  label: '操作打标规则',
  access: keep,
  input: { id, version, action: field('操作', z.enum(['run', 'pause', 'resume', 'end'], '请选择操作')) },
  output: actionAnswer,
});
export type RuleAction = 'run' | 'pause' | 'resume' | 'end';
