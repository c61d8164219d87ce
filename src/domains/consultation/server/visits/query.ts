import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { queryVisitRecordSums, visitTabs } from '../../contract/calls/visits.ts';
import { own } from '../database.ts';
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

/** Late in any way: closed for it, first answered or taken up late, or overdue at this moment. */
export const isLate = (now: Instant) => sql<SqlBool>`(
  i.server_status = '7'
  or (i.server_status = '1' and i.accept_due_at < ${now})
  or (i.server_status = '2' and i.doctor_reply_count = 0 and i.reply_due_at < ${now})
  or exists (
    select from consultation_group_board b where b.inquiry_id = i.id and b.over_sla and b.action in ('ASSIGNED', 'TAKEN', 'FIRST_REPLY')
  )
)`;

/** Inquiries with the newest version of their record. */
export const visitsSeen = (db: Db | Tx, viewer: Viewer) =>
  own(db)
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
