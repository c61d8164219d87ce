import { sql } from 'kysely';
import type { QueryContext } from '../../../../kernel/server/context.ts';
import { visitTabs } from '../../contract/calls/visits.ts';
import type { VisitList } from './list.ts';
import { tabOf, type VisitFilter } from './query.ts';

/** Counts of all tabs, and totals of the chosen one, in one pass. */
export async function sumVisits(list: VisitList, ctx: QueryContext, { tab, ...filter }: VisitFilter) {
  const chosen = tabOf[tab ?? 'all'];
  const row = await (
    await list.matching({ ...ctx, filter })
  )
    .select(visitTabs.map((tab) => sql<number>`(count(*) filter (where ${tabOf[tab]}))::int`.as(tab)))
    .select([
      sql<number>`(count(*) filter (where ${chosen}))::int`.as('inquiries'),
      sql<string>`coalesce(sum(i.fee_fen) filter (where ${chosen}), 0)::text`.as('feeFen'),
      sql<string>`coalesce(sum(i.refunded_fen) filter (where ${chosen}), 0)::text`.as('refundedFen'),
      sql<number | null>`(avg(extract(epoch from i.first_doctor_reply_at - i.accepted_at)) filter (where ${chosen}))::int`.as(
        'averageFirstReplySec',
      ),
    ])
    .executeTakeFirstOrThrow();
  const { inquiries, feeFen, refundedFen, averageFirstReplySec, ...tabCounts } = row;
  return { tabCounts, inquiries, feeFen, refundedFen, averageFirstReplySec };
}
