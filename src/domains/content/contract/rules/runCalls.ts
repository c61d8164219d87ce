import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instantOut } from '#kernel/contract/fields.ts';
import { extendedOperators } from '#kernel/contract/rules/rule.ts';
import { declareService } from '#kernel/contract/service.ts';
import { markPermissions } from '../marks/permissions.ts';
import { runKinds, runStates } from './dictionaries.ts';
import { rulePermissions as may } from './permissions.ts';

const service = declareService('MarkRuleService');
const view = markPermissions['content.view'];

const run = z.strictObject({
  id: idOut,
  ruleId: idOut,
  seq: field('序号', z.int(), { width: 70 }),
  kind: field('类型', runKinds.schema, { width: 80 }),
  startedAt: field('开始时间', instantOut),
  finishedAt: field('结束时间', z.nullable(instantOut)),
  startedByName: field('操作人', z.nullable(z.string()), { width: 100 }),
  total: field('对象数', z.int(), { width: 80 }),
  evaluated: field('已判断', z.int(), { width: 80 }),
  toAdd: field('待新增', z.int(), { width: 80 }),
  toRemove: field('待移除', z.int(), { width: 80 }),
  added: field('已新增', z.int(), { width: 80 }),
  removed: field('已移除', z.int(), { width: 80 }),
  fault: field('说明', z.nullable(z.string()), { width: 260 }),
  state: field('状态', runStates.schema, { width: 90 }),
});
export type RuleRun = z.output<typeof run>;

/** One condition of an object with the value that it was judged by. */
const explainedCondition = z.strictObject({
  variableCode: z.string(),
  operator: z.enum(extendedOperators),
  value: z.string(),
  groupNo: z.int(),
  verdict: z.enum(['HELD', 'NOT_HELD', 'NO_DATA']),
  fact: z.nullable(z.string()),
  at: z.nullable(z.string()),
});
const sampleRow = z.strictObject({
  objectId: idOut,
  change: z.enum(['ADD', 'REMOVE']),
  explain: z.array(explainedCondition),
});
export const sampleRows = z.array(sampleRow);
export type SampleRow = z.output<typeof sampleRow>;

/** Tries the rule as it stands on everything of its kind; a job does it and writes its run alone. */
export const dryRunMarkRule = service.act({
  operation: 'dryRunMarkRule',
  label: '试运行打标规则',
  access: may['mark.rule'],
  input: { ruleId: field('规则', id) },
  output: z.strictObject({ runId: idOut }),
});

/** Runs and dry runs of one rule, the newest first. */
export const queryMarkRuleRunList = service.list({
  operation: 'queryMarkRuleRunList',
  label: '查询打标规则执行记录',
  access: view,
  filter: { ruleId: field('规则', id), kind: field('类型', z.optional(runKinds.schema)) },
  output: run,
});

/** A run with some of the objects that it changes, those that the viewer sees, and why. */
export const queryMarkRuleRunDetail = service.read({
  operation: 'queryMarkRuleRunDetail',
  label: '查询打标规则执行明细',
  access: access.owner(may['mark.rule'], may['mark.supervise']),
  input: { runId: field('执行记录', id) },
  output: z.strictObject({
    run,
    sample: z.array(z.strictObject({ ...sampleRow.shape, no: z.string(), name: z.string() })),
  }),
});
