import { sql } from 'kysely';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';

/** A hit is seen by who sees its claim (`c`), as are the figures made of hits. */
export const hitScope = (staff: Pick<Viewer, 'userId' | 'scope'>) =>
  scopeFilter(scopedResource({ region: { column: 'c.adcode' }, insurer: { column: 'c.insurerId' }, channel: 'free', own: 'free' }), staff);

interface Counted {
  key: string;
  hits: number;
  savedFen: string;
  overturned: number;
  claimedFen: string;
}

/** What was hit in the last 30 days, by rule or by module; what its claims asked for counts once a claim. */
export async function countHits(db: Db, staff: Viewer, by: 'rule' | 'module', ids: readonly string[], today: Day) {
  const column = by === 'rule' ? sql.ref('h.control_rule_id') : sql.ref('r.module_id');
  const { rows } = await sql<Counted>`
    select x.key, sum(x.hits)::int as hits, sum(x.saved_fen)::text as saved_fen, sum(x.overturned)::int as overturned,
      coalesce(sum(x.claimed_fen), 0)::text as claimed_fen
    from (select ${column}::text as key, count(*) as hits, sum(h.saved_fen) as saved_fen,
        count(*) filter (where h.overturned) as overturned, max(c.claimed_fen) as claimed_fen
      from insurance_control_hit h join insurance_control_rule r on r.id = h.control_rule_id
      left join insurance_stat_claim c on c.claim_id = h.claim_id
      where h.at >= ${startOfDay(plusDays(today, -29))} and ${column} = any(${[...ids]}::bigint[]) and ${hitScope(staff)}
      group by 1, h.claim_id) x group by 1`.execute(db);
  const found = new Map(rows.map((row) => [row.key, row]));
  return (id: string) => {
    const row = found.get(id);
    const hits = row?.hits ?? 0;
    return {
      hits,
      savedFen: Number(row?.savedFen ?? 0),
      overturnBp: hits === 0 ? null : Math.round(((row?.overturned ?? 0) * 10_000) / hits),
      claimedFen: Number(row?.claimedFen ?? 0),
    };
  };
}
