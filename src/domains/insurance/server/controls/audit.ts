import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { stateMachine } from '#kernel/contract/stateMachine.ts';
import type { Day } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { controlRulePaused, controlRulePublished, controlRuleResumed } from '#events/insurance.ts';
import { capFault, MONITOR_DAYS, needsProof } from '../../contract/controls/content.ts';
import { auditControlRule } from '../../contract/controls/rules.ts';
import { controlRuleVersionStates } from '../../contract/documents/states.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { lockVersions } from '../access.ts';
import { ownTx } from '../database.ts';
import { auditDocument, type DocumentKind, type DocumentRow } from '../documents/audit.ts';
import { contentOf, controlHashOf } from './content.ts';
import { ruleVersionRecords } from './records.ts';
import { runControlCases } from './testCases.ts';

type State = keyof typeof controlRuleVersionStates.states;

// Pausing and resuming are this document's own; the rest is the life of every dated document.
const { pause: _pause, resume: _resume, ...moves } = controlRuleVersionStates.transitions;
const documentMoves = stateMachine(controlRuleVersionStates.name, controlRuleVersionStates.states, moves);

/** Whether the same conditions were watched for a week, or the very content has been replayed and looked at. */
async function isWatched(ctx: CommandContext, row: { controlRuleId: string; id: string; expressionHash: string }, hash: string) {
  const { rows } = await sql<{ proven: boolean }>`select
    exists (select from insurance_control_rule_version w where w.control_rule_id = ${row.controlRuleId} and w.mode = 'MONITOR'
      and w.expression_hash = ${row.expressionHash} and w.published_at is not null
      and least(${ctx.today}::date, w.effective_to + 1, w.paused_from) - w.running_since >= ${MONITOR_DAYS})
    or exists (select from insurance_rule_replay p where p.owner_type = 'CONTROL_RULE_VERSION' and p.owner_id = ${row.id}
      and p.state = 'DONE' and p.content_hash = ${hash} and not exists (select from insurance_rule_replay_case c
        where c.replay_id = p.id and c.verdict = 'UNEXPECTED' and c.note = '')) as proven`.execute(ctx.tx);
  return rows[0]!.proven;
}

async function proven(ctx: CommandContext, { id }: DocumentRow<State>): Promise<string> {
  const row = await ruleVersionRecords.get(ctx.tx, ctx.staff, id);
  const content = contentOf(row);
  const hash = controlHashOf(content);
  if (capFault(content.mode, content.cap, row.stage) !== null) throw refuse(insuranceErrors.CAP_MISSING);
  if (needsProof(content.mode) && !(await isWatched(ctx, row, hash))) throw refuse(insuranceErrors.NOT_PROVEN);
  const { failed } = await runControlCases(ctx, id);
  if (failed.length > 0) throw refuse(insuranceErrors.TESTS_MISSING, { detail: `用例${failed.join('、')}不通过` });
  return hash;
}

const factsOf = async (ctx: CommandContext, id: string) => {
  const { controlRuleId, stage, mode } = await ruleVersionRecords.get(ctx.tx, ctx.staff, id);
  return { ruleId: controlRuleId, ruleVersionId: id, stage, mode };
};

const kind: DocumentKind<State> = {
  machine: documentMoves,
  type: ruleVersionRecords.type,
  table: 'insurance_control_rule_version',
  parent: 'control_rule_id',
  noOf: async (tx, { id, versionNo }) => `${(await ruleVersionRecords.get(tx, ruleVersionRecords.everyone, id)).ruleCode} V${versionNo}`,
  proven,
  // What it hit keeps its version by id; nothing is issued on it.
  pins: async () => 0,
  published: async (ctx, { id }) => ctx.publish(controlRulePublished, id, await factsOf(ctx, id)),
};

/** A resumed rule must not meet another one that was published meanwhile. @throws Refusal SCM12004 */
async function requireFree(ctx: CommandContext, row: { id: string; controlRuleId: string; effectiveFrom: Day; effectiveTo: Day | null }) {
  const { rows } = await sql<{ versionNo: number }>`select version_no from insurance_control_rule_version
    where control_rule_id = ${row.controlRuleId} and id <> ${row.id} and state = 'PUBLISHED'
      and daterange(effective_from, effective_to, '[]') && daterange(${row.effectiveFrom}::date, ${row.effectiveTo}::date, '[]')`.execute(
    ctx.tx,
  );
  if (rows[0]) throw refuse(insuranceErrors.VERSIONS_OVERLAP, { n: rows[0].versionNo });
}

/** Out of action and back; both count for the next evaluation. */
async function changeState(ctx: CommandContext, action: 'pause' | 'resume', wish: { id: string; version: number; opinion: string }) {
  const known = await ruleVersionRecords.get(ctx.tx, ctx.staff, wish.id);
  await lockVersions(ctx.tx, 'insurance_control_rule_version', known.controlRuleId);
  const row = await ruleVersionRecords.lockVersion(ctx, wish.id, wish.version, ({ state }) => ({ state }));
  const state = await moveState(ctx, controlRuleVersionStates, {
    targetType: ruleVersionRecords.type,
    targetId: row.id,
    targetNo: `${row.ruleCode} V${row.versionNo}`,
    action,
    from: row.state,
    opinion: wish.opinion,
    contributors: [row.makerId, row.createdBy],
  });
  if (action === 'resume') await requireFree(ctx, row);
  const version = row.version + 1;
  await ownTx(ctx.tx)
    .updateTable('insuranceControlRuleVersion')
    .set({
      state,
      version,
      pausedFrom: action === 'pause' ? ctx.today : null,
      ...(action === 'resume' && { runningSince: ctx.today > row.effectiveFrom ? ctx.today : row.effectiveFrom }),
      ...updatedColumns(ctx),
    })
    .where('id', '=', row.id)
    .execute();
  await ctx.publish(action === 'pause' ? controlRulePaused : controlRuleResumed, row.id, await factsOf(ctx, row.id));
  return { id: row.id, state: String(state), version };
}

export const auditRule = command(auditControlRule, async ({ action, ...wish }, ctx) => {
  const seen = await ruleVersionRecords.get(ctx.tx, ctx.staff, wish.id);
  if (action === 'endVersion' && seen.state === 'PAUSED') throw refuse(platformErrors.WRONG_STATE, { state: '已停用' });
  const done =
    action === 'pause' || action === 'resume' ? await changeState(ctx, action, wish) : await auditDocument(ctx, kind, { ...wish, action });
  const { state } = await ruleVersionRecords.get(ctx.tx, ctx.staff, wish.id);
  return actionAnswer(ctx, controlRuleVersionStates, { id: done.id, state, version: done.version });
});
