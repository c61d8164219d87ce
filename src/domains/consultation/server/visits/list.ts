import { sql, type SqlBool } from 'kysely';
import type { QueryContext } from '#kernel/server/context.ts';
import { containsPattern, startsPattern } from '#kernel/server/database/search.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { elsewhere, from, upTo } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryVisitRecordList, visitTabs } from '../../contract/calls/visits.ts';
import { idsOfPatient, patientAccountsByMobile } from '../partners.ts';
import { isLate, tabOf, type VisitFilter, visitsSeen } from './query.ts';
import { departmentsOf, selected, visitRow } from './rows.ts';

/** Inquiries with their records, the newest first; the mobile is looked up by its hash. */
export const visitList = (kernel: Kernel) =>
  listOf(queryVisitRecordList)
    .from(async ({ db, staff, filter: { mobile, patientId } }) => {
      let visits = visitsSeen(db, staff);
      if (mobile) {
        const accounts = await patientAccountsByMobile(kernel, db, mobile);
        visits = visits.where(sql<SqlBool>`i.sufferer_operator_id = any(${[...accounts]}::bigint[])`);
      }
      if (patientId) visits = visits.where(sql<SqlBool>`i.patient_id = any(${await idsOfPatient(db, patientId)}::bigint[])`);
      return visits;
    })
    .with({
      where: {
        tab: (_eb, tab) => tabOf[tab],
        inquiryNo: (eb, inquiryNo) => eb('i.inquiryNo', 'like', containsPattern(inquiryNo.toUpperCase())),
        visitNo: (_eb, visitNo) =>
          sql<SqlBool>`
            exists (
              select from consultation_visit_record v
                where v.inquiry_id = i.id and v.visit_no like ${containsPattern(visitNo.toUpperCase())}
            )`,
        orderNo: (eb, orderNo) => eb('i.orderNo', 'like', containsPattern(orderNo.toUpperCase())),
        suffererName: (eb, name) => eb('i.patientName', 'like', containsPattern(name)),
        mobile: elsewhere,
        doctorName: (eb, name) => eb('i.doctorName', 'like', containsPattern(name)),
        hospitalId: 'p.hospitalId',
        departmentId: 'p.departmentId',
        serviceType: 'i.serviceType',
        serverStatus: 'i.serverStatus',
        recordState: 'r.state',
        icd10: (_eb, icd10) =>
          sql<SqlBool>`
            exists (
              select from jsonb_array_elements(r.diagnoses) as x
                where x ->> 'icd10' like ${startsPattern(icd10.toUpperCase())} or x ->> 'name' like ${containsPattern(icd10)}
            )`,
        stars: 'i.stars',
        qcState: (eb, qcState) =>
          qcState === 'DONE' ? eb('i.qcAt', 'is not', null) : eb.and([eb('i.qcAt', 'is', null), eb('i.serverStatus', '=', '4')]),
        patientId: elsewhere,
        createdFrom: from('i.createdAt'),
        createdTo: upTo('i.createdAt'),
        endedFrom: from('i.endedAt'),
        endedTo: upTo('i.endedAt'),
        overSla: (_eb, late, { now }) => (late ? isLate(now) : undefined),
        ownerAssistantId: (_eb, assistantId) => sql<SqlBool>`coalesce(g.owner_assistant_id, g.last_assistant_id) = ${assistantId}::bigint`,
      },
      order: [['i.createdAt', 'desc']],
      id: 'i.id',
      sorts: { inquiryNo: 'i.inquiryNo', createdAt: 'i.createdAt' },
      select: (query, { staff }) => selected(query, staff),
      async present(rows, ask) {
        const departments = await departmentsOf(ask.db, rows);
        return rows.map((row) => visitRow(row, departments, ask));
      },
    });
export type VisitList = ReturnType<typeof visitList>;

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
