import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import type { ConditionGroup } from '#kernel/contract/rules/groups.ts';
import { faultOfGroup, fitsBounds, isComplete } from '#kernel/contract/rules/typed.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { addClaimRule, claimRuleFacts, modifyClaimRule, removeClaimRule } from '../../contract/claimRules/calls.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { refusalOfFault } from '../../contract/rules/refusals.ts';
import { variableAt, type ControlStage } from '../../contract/rules/variables.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { ownTx } from '../database.ts';
import { versionRecords } from '../products/records.ts';
import { openVersion, resetTests } from '../tests/openVersion.ts';

const TYPE = 'insurance.claimRule';
type Facts = Omit<CheckedInputOf<typeof addClaimRule>, 'productVersionId'>;

/** An expression whose every condition is right for its stage. @throws Refusal SCM12020, 12021, 12027–12029, or at the field */
export function requireExpression(expression: Facts['expression'], stage: ControlStage): ConditionGroup {
  const variableOf = variableAt(stage);
  if (isComplete(expression, variableOf)) {
    if (!fitsBounds(expression)) throw refuseField('expression', '条件最多3层、30条');
    return expression;
  }
  const named = refusalOfFault(faultOfGroup(expression, variableOf)!);
  throw 'text' in named ? refuseField('expression', named.text) : refuse(named.error, named.params);
}

/** What the fields of a rule say together. */
async function requireRule(ctx: CommandContext, productVersionId: string, facts: Facts, exceptId: string | null): Promise<ConditionGroup> {
  const expression = requireExpression(facts.expression, 'CLAIM');
  if (facts.outcome === 'REQUIRE_MATERIAL' && facts.materialTypes.length === 0) throw refuseField('materialTypes', '请选择补件材料');
  if (facts.outcome.startsWith('REJECT') && facts.reasonCode === null) throw refuseField('reasonCode', '请选择核减原因');
  const tx = ownTx(ctx.tx);
  const benefits = await tx.selectFrom('insuranceBenefit').select('benefitCode').where('productVersionId', '=', productVersionId).execute();
  const strange = facts.benefitCodes.find((code) => !benefits.some(({ benefitCode }) => benefitCode === code));
  if (strange !== undefined) throw refuseField('benefitCodes', `责任${strange}不存在`);
  const same = await tx
    .selectFrom('insuranceClaimRule')
    .select('id')
    .where('productVersionId', '=', productVersionId)
    .where('ruleCode', '=', facts.ruleCode)
    .executeTakeFirst();
  if (same && same.id !== exceptId) throw refuseField('ruleCode', '规则编码已存在');
  return expression;
}

/** A rule of a version that is still written; the version is locked before it. */
async function lockedRule(ctx: CommandContext, claimRuleId: string, version: number) {
  const tx = ownTx(ctx.tx);
  const known = await tx.selectFrom('insuranceClaimRule').select('productVersionId').where('id', '=', claimRuleId).executeTakeFirst();
  if (!known) throw refuse(platformErrors.NOT_FOUND);
  const owner = await versionRecords.lock(ctx.tx, ctx.staff, known.productVersionId);
  if (owner.state !== 'DRAFT' && owner.state !== 'REJECTED') throw refuse(insuranceErrors.RULE_PUBLISHED);
  const row = await tx.selectFrom('insuranceClaimRule').selectAll().where('id', '=', claimRuleId).forUpdate().executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(ctx, TYPE, row, version, () => ({ ruleName: row.ruleName, outcome: row.outcome }));
  return row;
}

/** The rules are the version's content: its tests run anew, and whoever wrote them wrote the version. */
async function rulesChanged(ctx: CommandContext, productVersionId: string): Promise<void> {
  await resetTests(ctx.tx, productVersionId);
  await noteWritten(ctx, ctx.staff.userId, versionRecords.type, [productVersionId]);
}

export const add = command(addClaimRule, async ({ productVersionId, ...facts }, ctx) => {
  await openVersion(ctx, productVersionId);
  const expression = await requireRule(ctx, productVersionId, facts, null);
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceClaimRule')
    .values({ ...facts, expression: json(expression), productVersionId, ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await rulesChanged(ctx, productVersionId);
  ctx.target({ type: TYPE, id, no: facts.ruleCode });
  ctx.changed(differencesOf({}, facts, labelsOf(claimRuleFacts.shape)));
  return { claimRuleId: id, version: 1 };
});

export const modify = command(modifyClaimRule, async ({ claimRuleId, version, ...facts }, ctx) => {
  const row = await lockedRule(ctx, claimRuleId, version);
  const expression = await requireRule(ctx, row.productVersionId, facts, claimRuleId);
  await ownTx(ctx.tx)
    .updateTable('insuranceClaimRule')
    .set({ ...facts, expression: json(expression), version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', claimRuleId)
    .execute();
  await rulesChanged(ctx, row.productVersionId);
  ctx.target({ type: TYPE, id: claimRuleId, no: facts.ruleCode });
  ctx.changed(differencesOf(row, facts, labelsOf(claimRuleFacts.shape)));
  return { claimRuleId, version: version + 1 };
});

export const remove = command(removeClaimRule, async ({ claimRuleId, version }, ctx) => {
  const row = await lockedRule(ctx, claimRuleId, version);
  await ownTx(ctx.tx).deleteFrom('insuranceClaimRule').where('id', '=', claimRuleId).execute();
  await rulesChanged(ctx, row.productVersionId);
  ctx.target({ type: TYPE, id: claimRuleId, no: row.ruleCode });
  return { claimRuleId };
});
