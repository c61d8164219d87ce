import { sql } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Writing } from '../../../../kernel/server/context.ts';
import type { ContentMarkRuleRun } from '../tables.ts';
import { ownTx } from '../database.ts';
import type { LockedRule } from './access.ts';
import { runRule } from './runJob.ts';

type Starting = Pick<Writing, 'tx' | 'enqueue'> & { now: Instant; staffOrNull?: { userId: string } | null };

/** Begins a run of a locked rule. @returns its id; null where one is under way. */
export async function startRun(ctx: Starting, rule: LockedRule, kind: ContentMarkRuleRun['kind']): Promise<string | null> {
  const open = await ownTx(ctx.tx)
    .selectFrom('contentMarkRuleRun')
    .select('id')
    .where('ruleId', '=', rule.id)
    .where('state', '=', 'RUNNING')
    .executeTakeFirst();
  if (open) return null;
  const { id } = await ownTx(ctx.tx)
    .insertInto('contentMarkRuleRun')
    .values({
      ruleId: rule.id,
      seq: sql<number>`(select coalesce(max(seq), 0) + 1 from content_mark_rule_run where rule_id = ${rule.id})`,
      kind,
      contentHash: rule.contentHash,
      startedAt: ctx.now,
      startedBy: ctx.staffOrNull?.userId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.enqueue(runRule, { runId: id });
  return id;
}

/** The same, refused while a run is under way. */
export async function startRunOrRefuse(ctx: Starting, rule: LockedRule, kind: ContentMarkRuleRun['kind']): Promise<string> {
  const id = await startRun(ctx, rule, kind);
  if (id === null) throw refuse(platformErrors.WRONG_STATE, { state: '执行中' });
  return id;
}
