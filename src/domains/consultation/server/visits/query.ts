import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { queryVisitRecordSums, visitTabs } from '../../contract/calls/visits.ts';
import { ownDb } from '../database.ts';
import { seesVisit, type Viewer } from './scope.ts';

export type VisitFilter = CheckedInputOf<typeof queryVisitRecordSums>;
export type VisitTab = (typeof visitTabs)[number];

/** What belongs to a tab; `r` is the newest version of the record. */
export const tabOf: Record<VisitTab, RawBuilder<SqlBool>> = {
  all: sql<SqlBool>`true`,
  waiting: sql<SqlBool>`i.server_status = '1'`,
  serving: sql<SqlBool>`i.server_status in ('2', '3')`,
  draft: sql<SqlBool>`r.state = 'DRAFT'`,
  confirm: sql<SqlBool>`r.state = 'WAIT_DOCTOR'`,
  archived: sql<SqlBool>`r.state = 'ARCHIVED'`,
  closed: sql<SqlBool>`i.server_status in ('6', '7')`,
};

const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Late in any way: closed for it, first answered or taken up late, or overdue at this moment. */
const late = (
  now: Instant,
) => sql<SqlBool>`(i.server_status = '7' or (i.server_status = '1' and i.accept_due_at < ${now}) or (i.server_status = '2' and i.doctor_reply_count = 0 and i.reply_due_at < ${now})
  or exists (select from consultation_group_board b where b.inquiry_id = i.id and b.over_sla and b.action in ('ASSIGNED', 'TAKEN', 'FIRST_REPLY')))`;

/** Inquiries with the newest version of their record; the filters but for the tab. */
export const visitsSeen = (db: Db | Tx, viewer: Viewer) =>
  ownDb(db)
    .selectFrom('consultationInquiry as i')
    .leftJoin('consultationMedicalGroup as g', 'g.groupId', 'i.groupId')
    .leftJoin('consultationDoctorPlace as p', 'p.doctorId', 'i.doctorId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('consultationVisitRecord')
          .selectAll()
          .whereRef('inquiryId', '=', 'i.id')
          .orderBy('recordVersion', 'desc')
          .limit(1)
          .as('r'),
      (join) => join.onTrue(),
    )
    .where(seesVisit(viewer));
export type VisitQuery = ReturnType<typeof visitsSeen>;

/** @param accounts chat accounts that use the mobile of the filter, where one was given. */
export function filterVisits(
  query: VisitQuery,
  filter: Omit<VisitFilter, 'tab' | 'mobile' | 'patientId'>,
  accounts: readonly string[] | null,
  now: Instant,
): VisitQuery {
  let q = query;
  if (filter.inquiryNo) q = q.where('i.inquiryNo', 'like', like(filter.inquiryNo.toUpperCase()));
  if (filter.orderNo) q = q.where('i.orderNo', 'like', like(filter.orderNo.toUpperCase()));
  if (filter.visitNo)
    q = q.where(
      sql<SqlBool>`exists (select from consultation_visit_record v where v.inquiry_id = i.id and v.visit_no like ${like(filter.visitNo.toUpperCase())})`,
    );
  if (filter.suffererName) q = q.where('i.patientName', 'like', like(filter.suffererName));
  if (accounts) q = q.where(sql<SqlBool>`i.sufferer_operator_id = any(${[...accounts]}::bigint[])`);
  if (filter.doctorName) q = q.where('i.doctorName', 'like', like(filter.doctorName));
  if (filter.hospitalId) q = q.where('p.hospitalId', '=', filter.hospitalId);
  if (filter.departmentId) q = q.where('p.departmentId', '=', filter.departmentId);
  if (filter.serviceType?.length) q = q.where('i.serviceType', 'in', filter.serviceType);
  if (filter.serverStatus?.length) q = q.where('i.serverStatus', 'in', filter.serverStatus);
  if (filter.recordState?.length) q = q.where('r.state', 'in', filter.recordState);
  if (filter.icd10)
    q = q.where(
      sql<SqlBool>`exists (select from jsonb_array_elements(r.diagnoses) as x where x ->> 'icd10' like ${`${filter.icd10.toUpperCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} or x ->> 'name' like ${like(filter.icd10)})`,
    );
  if (filter.stars?.length) q = q.where('i.stars', 'in', filter.stars);
  if (filter.qcState) q = q.where('i.qcAt', filter.qcState === 'DONE' ? 'is not' : 'is', null);
  if (filter.qcState === 'TODO') q = q.where('i.serverStatus', '=', '4');
  if (filter.createdFrom) q = q.where('i.createdAt', '>=', filter.createdFrom);
  if (filter.createdTo) q = q.where('i.createdAt', '<=', filter.createdTo);
  if (filter.endedFrom) q = q.where('i.endedAt', '>=', filter.endedFrom);
  if (filter.endedTo) q = q.where('i.endedAt', '<=', filter.endedTo);
  if (filter.overSla) q = q.where(late(now));
  if (filter.ownerAssistantId)
    q = q.where(sql<SqlBool>`coalesce(g.owner_assistant_id, g.last_assistant_id) = ${filter.ownerAssistantId}::bigint`);
  return q;
}
