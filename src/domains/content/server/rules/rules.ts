import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { ruleTexts } from '#kernel/contract/rules/texts.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addMarkRule, delMarkRule, modifyMarkRule, ruleLabels } from '../../contract/rules/calls.ts';
import { faultOfRows, sentenceOfRows, type ConditionRow } from '../../contract/rules/conditions.ts';
import { ruleErrors } from '../../contract/rules/errors.ts';
import { ruleStates } from '../../contract/rules/states.ts';
import { ownTx } from '../database.ts';
import { lockMark } from '../marks/access.ts';
import { lockRuleVersion, RULE_TARGET } from './access.ts';
import { hashOf, readConditions } from './judge.ts';
import { variableFinder } from './variables.ts';

interface Wish {
  markId: string;
  conditions: ConditionRow[];
  removeWhenFalse: boolean;
  schedule: 'EVENT' | 'DAILY' | 'ONCE';
}

/** The columns of a rule as it was asked for, and what people read of it. */
async function checked(kernel: Kernel, ctx: CommandContext, wish: Wish) {
  const { group, mark } = await lockMark(ctx, wish.markId);
  if (mark.state === 'DISABLED' || group.state === 'DISABLED') throw refuseField('markId', '标签已停用');
  const variableOf = variableFinder(kernel, group.objectType);
  const fault = faultOfRows(wish.conditions, variableOf);
  if (fault === 'INCOMPLETE') throw refuse(ruleErrors.INCOMPLETE);
  if (fault) throw refuseField('conditions', ruleTexts[fault]);
  return {
    columns: {
      markId: mark.id,
      groupId: group.id,
      objectType: group.objectType,
      selectMode: group.selectMode,
      conditions: JSON.stringify(wish.conditions),
      removeWhenFalse: wish.removeWhenFalse,
      schedule: wish.schedule,
      contentHash: hashOf(wish),
    },
    logged: {
      markName: mark.markName,
      sentence: sentenceOfRows(wish.conditions, variableOf),
      removeWhenFalse: wish.removeWhenFalse,
      schedule: wish.schedule,
    },
  };
}

export const add = (kernel: Kernel) =>
  command(addMarkRule, async (input, ctx) => {
    const { columns, logged } = await checked(kernel, ctx, input);
    const ruleNo = await nextSerial(ctx.tx, 'GZ', 5);
    const { id } = await ownTx(ctx.tx)
      .insertInto('contentMarkRule')
      .values({ ...columns, ruleNo, ...createdColumns(ctx) })
      .returning('id')
      .executeTakeFirstOrThrow();
    ctx.target({ type: RULE_TARGET, id, no: ruleNo });
    ctx.changed(differencesOf({}, logged, ruleLabels));
    return actionAnswer(ctx, ruleStates, { id, state: 'DRAFT' as const, version: 1 });
  });

export const modify = (kernel: Kernel) =>
  command(modifyMarkRule, async ({ id, version, ...wish }, ctx) => {
    const before = await lockRuleVersion(ctx, id, version);
    const { columns, logged } = await checked(kernel, ctx, wish);
    if (columns.objectType !== before.objectType) throw refuseField('markId', '规则的对象类型不能更改');
    const old = await ownTx(ctx.tx).selectFrom('contentMark').select('markName').where('id', '=', before.markId).executeTakeFirst();
    const was = {
      markName: old?.markName,
      sentence: sentenceOfRows(readConditions(before.conditions), variableFinder(kernel, before.objectType)),
      removeWhenFalse: before.removeWhenFalse,
      schedule: before.schedule,
    };
    const state = await moveState(ctx, ruleStates, {
      targetType: RULE_TARGET,
      targetId: id,
      targetNo: before.ruleNo,
      action: 'modify',
      from: before.state,
      differences: differencesOf(was, logged, ruleLabels),
    });
    await ownTx(ctx.tx)
      .updateTable('contentMarkRule')
      .set({ ...columns, state, version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    return actionAnswer(ctx, ruleStates, { id, state, version: version + 1 });
  });

/** Only a draft that was never published: bindings name the rules that made them. */
export const remove = command(delMarkRule, async ({ id, version }, ctx) => {
  const rule = await lockRuleVersion(ctx, id, version);
  if (rule.state !== 'DRAFT' || rule.publishedSeq > 0) throw refuseField('id', '规则已发布过，不能删除');
  await ownTx(ctx.tx).deleteFrom('contentMarkRule').where('id', '=', id).execute();
  ctx.target({ type: RULE_TARGET, id, no: rule.ruleNo });
  ctx.changed([{ path: 'ruleNo', label: '规则编号', before: rule.ruleNo, after: null }]);
  return {};
});
