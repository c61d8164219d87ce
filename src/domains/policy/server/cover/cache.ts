import { sql, type RawBuilder } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { ofPolicyRow } from '../premium/due.ts';
import { insuredOfPolicy } from './insured.ts';
import { isLive, isSuspendedOn } from './live.ts';

/**
 * Common table expression `said`: state, days and plan of today's cover of chosen persons (alias i). Slices are looked up person by person:
 * behind a list of 100,000 the planner does not know yet how many there are.
 */
export const computedPersons = (chosen: RawBuilder<unknown>, today: Day) => sql`
    said as (
      select i.id, l.first_day, l.last_day, l.plan_code,
        case when l.first_day is null then 'VOID'
          when l.covered then case when ${isSuspendedOn(sql.ref('i.policyId'), sql`${today}`, null)} then 'SUSPENDED' else 'ACTIVE' end
          when l.ahead then 'PENDING'
          when l.last_day < p.coverage_end then 'LEFT' else 'EXPIRED' end as state
      from policy_insured_item i join policy_policy p on p.id = i.policy_id
      cross join lateral (
        select min(s.coverage_start) as first_day, max(s.coverage_end) as last_day,
          bool_or(s.coverage_start <= ${today}::date and s.coverage_end >= ${today}::date) as covered,
          bool_or(s.coverage_start > ${today}::date) as ahead,
          (array_agg(s.plan_code order by
            (s.coverage_start <= ${today}::date and s.coverage_end >= ${today}::date) desc, (s.coverage_start > ${today}::date) desc,
            s.coverage_start desc))[1] as plan_code
        from policy_cover_slice s where s.insured_item_id = i.id and ${isLive('s', null)}
      ) l
      where ${chosen}
    )`;

/**
 * Computes anew what lists show of persons: state, days and plan of today's cover. Rows that stay as they are are not written.
 * @param of persons by id, or all persons of a policy
 */
export async function refreshPersons(tx: Tx, of: { itemIds: readonly string[] } | { policyId: string }, today: Day): Promise<void> {
  const chosen = 'policyId' in of ? sql`i.policy_id = ${of.policyId}` : sql`i.id = any(${[...of.itemIds]}::bigint[])`;
  await sql`
    with ${computedPersons(chosen, today)}
    update policy_insured_item i
    set state_cache = said.state, start_cache = said.first_day, end_cache = said.last_day, plan_cache = said.plan_code
    from said where said.id = i.id
      and (i.state_cache, i.start_cache, i.end_cache, i.plan_cache) is distinct from (
        said.state, said.first_day, said.last_day, said.plan_code
      )`.execute(tx);
}

/** Computes anew what a policy's row says of its persons and its premium. */
export async function refreshPolicy(tx: Tx, policyId: string, today: Day): Promise<void> {
  await sql`
    update policy_policy p set
      insured_count = ${insuredOfPolicy(sql.ref('p.id'), today)},
      premium_fen = ${ofPolicyRow('premiumFen')}::bigint
    where p.id = ${policyId}`.execute(tx);
}
