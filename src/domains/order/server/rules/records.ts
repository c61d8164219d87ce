import * as z from 'zod/mini';
import { sql, type Selectable, type SqlBool } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Difference, Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { testCase, type RuleTestCase } from '../../contract/calls/ruleFields.ts';
import { orderErrors } from '../../contract/errors.ts';
import { ruleMachine, type RuleAction, type RulePhase } from '../../contract/ruleStates.ts';
import { own } from '../database.ts';
import type { OrderRule } from '../tables.ts';
import { conditionOf, requireProof } from './content.ts';

/** Rules belong to no insurer: who may see them sees all. */
export const ruleRecords = recordOf((db) => own(db).selectFrom('orderRule as r').selectAll('r')).with({
  noun: '规则',
  type: 'order.rule',
  id: 'r.id',
  scope: () => sql<SqlBool>`true`,
});
export type RuleRecord = Selectable<OrderRule>;
export type Writer = Pick<Acting, 'tx' | 'now' | 'today' | 'staffOrNull' | 'actorName' | 'target'> & Acting;

export const numberOf = ({ ruleCode, ruleVersion }: Pick<RuleRecord, 'ruleCode' | 'ruleVersion'>): string => `${ruleCode} V${ruleVersion}`;
export const casesOf = ({ testCases }: { testCases: unknown }): RuleTestCase[] => z.parse(z.array(testCase), testCases);

/** How a rule `r` stands on a day. */
export const phaseColumn = (today: Day) => sql<RulePhase>`
  case
    when r.state <> 'EFFECTIVE' then r.state
    when r.effective_from > ${today}::date then 'SCHEDULED'
    when r.effective_to < ${today}::date then 'RETIRED'
    else 'EFFECTIVE'
  end`;

/** Versions of one rule are written one after the other. */
export const lockRule = (tx: Tx, { kind, ruleCode }: Pick<RuleRecord, 'kind' | 'ruleCode'>): Promise<void> =>
  lockKeys(tx, 'order.rule', [`${kind}:${ruleCode}`]);

const writeRule = (
  ctx: Writer,
  { id }: Pick<RuleRecord, 'id'>,
  change: Partial<Omit<RuleRecord, 'id' | 'version' | 'condition' | 'testCases' | 'candidates'>>,
): Promise<RuleRecord> =>
  own(ctx.tx)
    .updateTable('orderRule')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Makes room for a version that comes into force: the one before ends the day before it.
 * @throws Refusal SCM16051 for a version that begins on the same day or later
 */
async function retireBefore(ctx: Writer, { id, kind, ruleCode, effectiveFrom, effectiveTo }: RuleRecord): Promise<void> {
  const others = await own(ctx.tx)
    .selectFrom('orderRule')
    .selectAll()
    .where('kind', '=', kind)
    .where('ruleCode', '=', ruleCode)
    .where('id', '<>', id)
    .where('state', '=', 'EFFECTIVE')
    .where((eb) => eb.or([eb('effectiveTo', 'is', null), eb('effectiveTo', '>=', effectiveFrom)]))
    .orderBy('effectiveFrom')
    .forUpdate()
    .execute();
  for (const other of others) {
    if (effectiveTo !== null && other.effectiveFrom > effectiveTo) continue;
    if (other.effectiveFrom >= effectiveFrom) throw refuse(orderErrors.RULES_OVERLAP, { ruleCode, n: other.ruleVersion });
    await writeRule(ctx, other, { effectiveTo: plusDays(effectiveFrom, -1) });
  }
}

/** @throws Refusal SCM16051 where another version is in force on its days */
async function requireFree(tx: Tx, { id, kind, ruleCode, effectiveFrom, effectiveTo }: RuleRecord): Promise<void> {
  const other = await own(tx)
    .selectFrom('orderRule')
    .select('ruleVersion')
    .where('kind', '=', kind)
    .where('ruleCode', '=', ruleCode)
    .where('id', '<>', id)
    .where('state', '=', 'EFFECTIVE')
    .where((eb) => eb.or([eb('effectiveTo', 'is', null), eb('effectiveTo', '>=', effectiveFrom)]))
    .$if(effectiveTo !== null, (rows) => rows.where('effectiveFrom', '<=', effectiveTo))
    .executeTakeFirst();
  if (other) throw refuse(orderErrors.RULES_OVERLAP, { ruleCode, n: other.ruleVersion });
}

/**
 * Takes a locked rule to another state.
 * @throws Refusal SCM90031, SCM16013 for one's own, SCM16050, SCM16051; SCM90020 for days that are over
 */
export async function moveRule(
  ctx: Writer,
  rule: RuleRecord,
  action: RuleAction,
  { opinion = '', differences = [] }: { opinion?: string; differences?: readonly Difference[] } = {},
): Promise<RuleRecord> {
  const state = await moveState(ctx, ruleMachine, {
    targetType: ruleRecords.type,
    targetId: rule.id,
    targetNo: numberOf(rule),
    action,
    from: rule.state,
    opinion,
    differences,
    contributors: [rule.createdBy, rule.submittedBy],
  });
  if (action === 'submit' || action === 'approve') {
    requireProof(conditionOf(rule.condition)!, casesOf(rule));
    if (rule.effectiveTo !== null && rule.effectiveTo < ctx.today) throw refuseField('effectiveTo', '失效日期已过，请先修改');
  }
  if (action === 'submit') return writeRule(ctx, rule, { state, submittedBy: ctx.staffOrNull?.userId ?? null });
  if (action === 'approve') {
    // What is approved after its day begins today.
    const begun = { ...rule, effectiveFrom: rule.effectiveFrom < ctx.today ? ctx.today : rule.effectiveFrom };
    await retireBefore(ctx, begun);
    return writeRule(ctx, rule, {
      state,
      effectiveFrom: begun.effectiveFrom,
      approvedBy: ctx.staffOrNull?.userId ?? null,
      approverName: ctx.staffOrNull?.displayName ?? ctx.actorName ?? null,
      approvedAt: ctx.now,
    });
  }
  if (action === 'enable') await requireFree(ctx.tx, rule);
  return writeRule(ctx, rule, { state });
}
