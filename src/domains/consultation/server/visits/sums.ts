import { sql, type SqlBool } from 'kysely';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { visitTabs } from '../../contract/calls/visits.ts';
import { idsOfPatient, patientAccountsByMobile } from '../partners.ts';
import { filterVisits, tabOf, visitsSeen, type VisitFilter, type VisitQuery } from './query.ts';
import type { Viewer } from './scope.ts';

/** Inquiries of a filter, the tab left out; the mobile is looked up by its hash. */
export async function filtered(
  kernel: Kernel,
  db: Db,
  viewer: Viewer,
  { tab: _tab, mobile, patientId, ...filter }: VisitFilter,
  now: Instant,
): Promise<VisitQuery> {
  const accounts = mobile ? await patientAccountsByMobile(kernel, db, mobile) : null;
  const visits = filterVisits(visitsSeen(db, viewer), filter, accounts, now);
  return patientId ? visits.where(sql<SqlBool>`i.patient_id = any(${await idsOfPatient(db, patientId)}::bigint[])`) : visits;
}

/** Counts of all tabs, and totals of the chosen one, in one pass. */
export async function sumVisits(kernel: Kernel, db: Db, viewer: Viewer, filter: VisitFilter, now: Instant) {
  const chosen = tabOf[filter.tab ?? 'all'];
  const row = await (
    await filtered(kernel, db, viewer, filter, now)
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
