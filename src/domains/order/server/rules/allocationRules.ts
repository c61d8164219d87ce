import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { sentenceOfGroup } from '#kernel/contract/rules/typed.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import { json } from '#kernel/server/database/json.ts';
import {
  addAllocationRule,
  auditAllocationRule,
  disableAllocationRule,
  enableAllocationRule,
  modifyAllocationRule,
  submitAllocationRule,
} from '../../contract/calls/allocationRules.ts';
import { orderErrors } from '../../contract/errors.ts';
import { orderVariable } from '../../contract/rules/variables.ts';
import { ruleMachine } from '../../contract/ruleStates.ts';
import { own } from '../database.ts';
import { conditionOf, factsText, requireCases, requireCondition } from './content.ts';
import { candidatesOf, namesOfSuppliers } from './candidates.ts';
import { casesOf, lockRule, moveRule, numberOf, ruleRecords, type RuleRecord, type Writer } from './records.ts';

type Facts = Omit<CheckedInputOf<typeof addAllocationRule>, 'ruleCode'>;
const KIND = 'ALLOCATION';

const answerOf = (ctx: Parameters<typeof actionAnswer>[0], rule: RuleRecord) => actionAnswer(ctx, ruleMachine, rule);
const editorOf = ({ staffOrNull, actorName }: Writer) => staffOrNull?.displayName ?? actorName ?? null;

/** As the form shows a rule. */
const formOf = (rule: RuleRecord): Facts => ({
  ruleName: rule.ruleName,
  priority: rule.priority,
  condition: conditionOf(rule.condition) ?? { op: 'AND', items: [] },
  effectiveFrom: rule.effectiveFrom,
  effectiveTo: rule.effectiveTo,
  testCases: casesOf(rule),
  strategy: rule.strategy!,
  candidates: candidatesOf(rule) ?? [],
  allowSplit: rule.allowSplit!,
  maxSplit: rule.maxSplit!,
});

/** @throws Refusal SCM16052, SCM16053, SCM90020 */
async function columnsOf(ctx: Writer, { condition, testCases, candidates, ...facts }: Facts) {
  const complete = requireCondition(condition);
  requireCases(testCases);
  const twice = candidates.findIndex(({ supplierId }, at) => candidates.findIndex((other) => other.supplierId === supplierId) !== at);
  if (twice >= 0) throw refuseField(`candidates.${twice}.supplierId`, '候选供应商不能重复');
  const names = await namesOfSuppliers(ctx.tx, candidates);
  const strange = candidates.findIndex(({ supplierId }) => !names.has(supplierId));
  if (strange >= 0) throw refuseField(`candidates.${strange}.supplierId`, '供应商不存在，请重新选择');
  const weights = candidates.reduce((sum, { weightPct }) => sum + weightPct, 0);
  if (facts.strategy === 'WEIGHTED' && weights !== 100) throw refuse(orderErrors.WEIGHTS);
  if (facts.effectiveTo !== null && facts.effectiveTo < ctx.today) throw refuseField('effectiveTo', '失效日期不能早于今天');
  return {
    ...facts,
    maxSplit: facts.allowSplit ? facts.maxSplit : 1,
    condition: json(complete),
    testCases: json(testCases),
    candidates: json(candidates),
    editorName: editorOf(ctx),
  };
}

const insert = (ctx: Writer, facts: Awaited<ReturnType<typeof columnsOf>>, ruleCode: string, ruleVersion: number): Promise<RuleRecord> =>
  own(ctx.tx)
    .insertInto('orderRule')
    .values({ ...facts, kind: KIND, ruleCode, ruleVersion, state: 'DRAFT', ...createdColumns(ctx) })
    .returningAll()
    .executeTakeFirstOrThrow();

/** A draft of a rule. @throws Refusal SCM16052, SCM16053, SCM90020 */
export async function makeAllocationRule(
  ctx: Writer,
  { ruleCode, ...facts }: CheckedInputOf<typeof addAllocationRule>,
): Promise<RuleRecord> {
  await lockRule(ctx.tx, { kind: KIND, ruleCode });
  const twin = await own(ctx.tx)
    .selectFrom('orderRule')
    .select('id')
    .where('kind', '=', KIND)
    .where('ruleCode', '=', ruleCode)
    .executeTakeFirst();
  if (twin) throw refuseField('ruleCode', '规则编码已存在');
  const made = await insert(ctx, await columnsOf(ctx, facts), ruleCode, 1);
  ctx.target({ type: ruleRecords.type, id: made.id, no: numberOf(made) });
  return made;
}

/** A next version of a rule that was approved, which stays as it is. @throws Refusal SCM90020 while there is an open one */
async function nextVersion(ctx: Writer, rule: RuleRecord, facts: Facts): Promise<RuleRecord> {
  await lockRule(ctx.tx, rule);
  const versions = await own(ctx.tx)
    .selectFrom('orderRule')
    .select(['ruleVersion', 'state'])
    .where('kind', '=', rule.kind)
    .where('ruleCode', '=', rule.ruleCode)
    .orderBy('ruleVersion', 'desc')
    .execute();
  const open = versions.find(({ state }) => state === 'DRAFT' || state === 'PENDING_APPROVAL' || state === 'REJECTED');
  if (open) throw refuseField('ruleName', `规则已有未完结的版本V${open.ruleVersion}，请在该版本上修改`);
  const made = await insert(ctx, await columnsOf(ctx, facts), rule.ruleCode, versions[0]!.ruleVersion + 1);
  await moveRule(ctx, rule, 'newVersion');
  ctx.target({ type: ruleRecords.type, id: made.id, no: numberOf(made) });
  return made;
}

const labels = labelsOf(addAllocationRule.input.shape);
/** What a person reads of the fields of a rule. */
const words = ({ condition, testCases, candidates, ...facts }: Facts, names: ReadonlyMap<string, string>) => ({
  ...facts,
  condition: sentenceOfGroup(requireCondition(condition), orderVariable),
  testCases: testCases
    .map(({ name, expected, facts: given }) => `${name}（${expected ? '应命中' : '不应命中'}）${factsText(given)}`)
    .join('\n'),
  candidates: candidates
    .map(({ supplierId, priority, weightPct }) => `${names.get(supplierId) ?? supplierId}（优先级${priority}，${weightPct}%）`)
    .join('、'),
});

const modify = command(modifyAllocationRule, async ({ id, version, ...facts }, ctx) => {
  const rule = await ruleRecords.lockVersion(ctx, id, version, formOf);
  if (rule.isFallback) throw refuseField('ruleName', '兜底规则不能修改');
  if (rule.state === 'EFFECTIVE' || rule.state === 'DISABLED') return answerOf(ctx, await nextVersion(ctx, rule, facts));
  if (rule.state === 'PENDING_APPROVAL') throw refuse(platformErrors.WRONG_STATE, { state: ruleMachine.states[rule.state].label });
  const columns = await columnsOf(ctx, facts);
  const before = formOf(rule);
  const names = await namesOfSuppliers(ctx.tx, [...before.candidates, ...facts.candidates]);
  const written = await own(ctx.tx)
    .updateTable('orderRule')
    .set({ ...columns, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const differences = differencesOf(words(before, names), words(facts, names), labels);
  return answerOf(ctx, await moveRule(ctx, { ...written, state: rule.state }, 'modify', { differences }));
});

/** @throws Refusal SCM90031 for the rule that the program relies on */
const requireOrdinary = ({ isFallback, state }: RuleRecord) => {
  if (isFallback) throw refuse(platformErrors.WRONG_STATE, { state: `兜底规则${ruleMachine.states[state].label}` });
};
async function locked(ctx: Parameters<typeof ruleRecords.lockVersion>[0], { id, version }: { id: string; version: number }) {
  const rule = await ruleRecords.lockVersion(ctx, id, version);
  requireOrdinary(rule);
  await lockRule(ctx.tx, rule);
  return rule;
}

export const allocationRuleHandlers = [
  command(addAllocationRule, async (input, ctx) => answerOf(ctx, await makeAllocationRule(ctx, input))),
  modify,
  command(submitAllocationRule, async (on, ctx) => answerOf(ctx, await moveRule(ctx, await locked(ctx, on), 'submit'))),
  command(auditAllocationRule, async ({ decision, opinion, ...on }, ctx) =>
    answerOf(ctx, await moveRule(ctx, await locked(ctx, on), decision, { opinion })),
  ),
  command(enableAllocationRule, async ({ opinion, ...on }, ctx) =>
    answerOf(ctx, await moveRule(ctx, await locked(ctx, on), 'enable', { opinion })),
  ),
  command(disableAllocationRule, async ({ opinion, ...on }, ctx) =>
    answerOf(ctx, await moveRule(ctx, await locked(ctx, on), 'disable', { opinion })),
  ),
];
