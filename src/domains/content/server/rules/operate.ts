import { refuse } from '#kernel/contract/errors.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { operateMarkRule, publishMarkRule, type RuleAction } from '../../contract/rules/calls.ts';
import { ruleErrors } from '../../contract/rules/errors.ts';
import { rulePermissions as may } from '../../contract/rules/permissions.ts';
import { changeLimit } from '../../contract/rules/plan.ts';
import { dryRunMarkRule } from '../../contract/rules/runCalls.ts';
import { ruleStates } from '../../contract/rules/states.ts';
import { ownTx } from '../database.ts';
import { requireRuleRight, lockRule, lockRuleVersion, RULE_TARGET, type LockedRule } from './access.ts';
import { startRunOrRefuse } from './run.ts';

/** Hours for which a dry run allows to publish what it tried. */
const DRY_RUN_HOURS = 24;

const moved = (ctx: CommandContext, rule: LockedRule, action: RuleAction | 'publish') =>
  moveState(ctx, ruleStates, { targetType: RULE_TARGET, targetId: rule.id, targetNo: rule.ruleNo, action, from: rule.state });

/** @throws Refusal SCM04040 without a dry run of this content, SCM04041 beyond the limit for who does not supervise. */
async function requireTried(ctx: CommandContext, rule: LockedRule): Promise<void> {
  const dry = await ownTx(ctx.tx)
    .selectFrom('contentMarkRuleRun')
    .select(['total', 'toAdd', 'toRemove'])
    .where('ruleId', '=', rule.id)
    .where('kind', '=', 'DRY')
    .where('state', '=', 'DONE')
    .where('contentHash', '=', rule.contentHash)
    .where('finishedAt', '>=', plusMs(ctx.now, -hours(DRY_RUN_HOURS)))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!dry) throw refuse(ruleErrors.NO_DRY_RUN);
  const [n, m] = [dry.toAdd + dry.toRemove, changeLimit(dry.total)];
  if (n > m && !ctx.has(may['mark.supervise'])) throw refuse(ruleErrors.OVER_LIMIT, { n, m });
}

/** The rule takes effect at once; afterwards every night or with events, as its schedule says. */
export const publish = command(publishMarkRule, async ({ id, version }, ctx) => {
  requireRuleRight(ctx);
  const rule = await lockRuleVersion(ctx, id, version);
  const state = await moved(ctx, rule, 'publish');
  await requireTried(ctx, rule);
  await ownTx(ctx.tx)
    .updateTable('contentMarkRule')
    .set({
      state,
      publishedSeq: rule.publishedSeq + 1,
      publishedAt: ctx.now,
      publishedBy: ctx.staff.userId,
      version: version + 1,
      ...updatedColumns(ctx),
    })
    .where('id', '=', id)
    .execute();
  await startRunOrRefuse(ctx, rule, 'RUN');
  return actionAnswer(ctx, ruleStates, { id, state, version: version + 1 });
});

export const operate = command(operateMarkRule, async ({ id, version, action }, ctx) => {
  const rule = await lockRuleVersion(ctx, id, version);
  const state = await moved(ctx, rule, action);
  if (action === 'run') {
    await startRunOrRefuse(ctx, rule, 'RUN');
    return actionAnswer(ctx, ruleStates, { id, state, version });
  }
  await ownTx(ctx.tx)
    .updateTable('contentMarkRule')
    .set({ state, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  return actionAnswer(ctx, ruleStates, { id, state, version: version + 1 });
});

export const dryRun = command(dryRunMarkRule, async ({ ruleId }, ctx) => {
  const rule = await lockRule(ctx, ruleId);
  await moveState(ctx, ruleStates, {
    targetType: RULE_TARGET,
    targetId: rule.id,
    targetNo: rule.ruleNo,
    action: 'dryRun',
    from: rule.state,
  });
  return { runId: await startRunOrRefuse(ctx, rule, 'DRY') };
});
