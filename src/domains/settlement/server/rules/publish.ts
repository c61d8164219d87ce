import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { settlementErrors } from '../../contract/errors.ts';
import type { RuleRecord } from '../access.ts';

type Published = Pick<
  RuleRecord,
  'id' | 'ruleId' | 'ruleType' | 'incomeType' | 'scopeWeight' | 'scopeKey' | 'effectiveFrom' | 'effectiveTo'
>;

/**
 * Makes room for a version that is about to hold: the version before it ends where it begins.
 * @throws Refusal SCM19022 for a day that is not in the future, SCM19023 for another rule about the same, SCM19024 for a gap of defaults
 */
export async function publish(ctx: CommandContext, rule: Published): Promise<void> {
  const { tx } = ctx;
  if (rule.effectiveFrom <= dayOf(ctx.now)) throw refuse(settlementErrors.EFFECTIVE_LATE);
  // All publications wait for each other: whether there is a gap is seen over all rules.
  await lockKeys(tx, 'settlement.rules');
  await sql`
    update settlement_rule_version
      set effective_to = ${rule.effectiveFrom}::date, version = version + 1
      where rule_id = ${rule.ruleId}
        and status in ('PUBLISHED', 'RETIRED')
        and effective_from < ${rule.effectiveFrom}::date
        and (effective_to is null or effective_to > ${rule.effectiveFrom}::date)`.execute(tx);
  const { rows } = await sql<{ ruleCode: string }>`
    select r.rule_code
      from settlement_rule_version v
      join settlement_rule r on r.id = v.rule_id
      where v.status in ('PUBLISHED', 'RETIRED')
        and v.id <> ${rule.id}
        and (v.scope_key = ${rule.scopeKey} or v.rule_id = ${rule.ruleId})
        and daterange(v.effective_from, v.effective_to) && daterange(${rule.effectiveFrom}::date, ${rule.effectiveTo}::date)
      limit 1`.execute(tx);
  if (rows[0]) throw refuse(settlementErrors.SCOPE_OVERLAPS, { code: rows[0].ruleCode });
  if (rule.scopeWeight === 0) await requireNoGap(tx, rule, rule.effectiveFrom, rule);
}

/**
 * Defaults of a kind follow each other without a day between them, and the last one has no end.
 * @param from before this day nothing is asked: what was, was
 * @throws Refusal SCM19024 naming the days without a default
 */
export async function requireNoGap(
  tx: Tx,
  rule: Pick<Published, 'ruleType' | 'incomeType' | 'scopeWeight'>,
  from: string,
  added?: Pick<Published, 'effectiveFrom' | 'effectiveTo'>,
): Promise<void> {
  if (rule.scopeWeight !== 0) return;
  const { rows } = await sql<{ effectiveFrom: string; effectiveTo: string | null }>`
    select v.effective_from, v.effective_to
      from settlement_rule_version v
      where v.rule_type = ${rule.ruleType}
        and v.income_type is not distinct from ${rule.incomeType}::text
        and v.scope_weight = 0
        and v.status in ('PUBLISHED', 'RETIRED')
        and v.effective_from is distinct from v.effective_to`.execute(tx);
  const spans = [...rows, ...(added ? [added] : [])].toSorted((one, other) => (one.effectiveFrom < other.effectiveFrom ? -1 : 1));
  let until: string | null = null;
  for (const span of spans) {
    if (until !== null && span.effectiveFrom > until && span.effectiveFrom > from)
      throw refuse(settlementErrors.NO_DEFAULT, { d1: until, d2: span.effectiveFrom });
    if (span.effectiveTo === null) return;
    until = span.effectiveTo;
  }
  throw refuse(settlementErrors.NO_DEFAULT, { d1: until ?? from, d2: '以后' });
}
