import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { isLive } from './live.ts';

// 在保人数: persons of a policy with a live slice on a day, each once per policy. Said here alone; the policy's row, its list with totals,
// what other domains ask and 数据统计 count by it.

const coveredOn = (day: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(s.coverage_start <= ${day}::date and s.coverage_end >= ${day}::date and ${isLive('s', null)})`;

/** Of one policy, by its slices. */
export const insuredOfPolicy = (policyId: RawBuilder<unknown>, day: Day): RawBuilder<number> =>
  sql<number>`(select count(distinct s.insured_item_id)::int from policy_cover_slice s
    where s.policy_id = ${policyId} and ${coveredOn(sql`${day}`)})`;

/** Of the policies of an alias together; today's is what their rows keep, which every endorsement and each new day compute anew. */
export const insuredSum = (alias: string, day: Day, today: Day | null): RawBuilder<number> =>
  sql<number>`coalesce(sum(${day === today ? sql.ref(`${alias}.insuredCount`) : insuredOfPolicy(sql.ref(`${alias}.id`), day)}), 0)::int`;

/** Of all policies that a condition chooses; where it names regions, of the persons who live there. */
export async function countInsured(
  db: Db | Tx,
  { day, today, byRegion, seen }: { day: Day; today: Day | null; byRegion: boolean; seen(alias: string): RawBuilder<SqlBool> },
): Promise<number> {
  const { rows } = byRegion
    ? await sql<{ n: number }>`
        select count(*)::int as n from (
          select distinct s.insured_item_id, p.insurer_id, p.product_id, p.product_line, coalesce(i.adcode, p.adcode, '') as adcode
          from policy_cover_slice s join policy_policy p on p.id = s.policy_id join policy_insured_item i on i.id = s.insured_item_id
          where ${coveredOn(sql`${day}`)}) x
        where ${seen('x')}`.execute(db)
    : await sql<{ n: number }>`select ${insuredSum('p', day, today)} as n from policy_policy p where ${seen('p')}`.execute(db);
  return rows[0]?.n ?? 0;
}
