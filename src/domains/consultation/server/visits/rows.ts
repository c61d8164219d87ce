import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import type { Context, Db } from '#kernel/server/context.ts';
import type { VisitRow } from '../../contract/calls/visits.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { visitRecordMachine, type VisitRecordState } from '../../contract/states.ts';
import { actionsOf } from '../inquiries/facts.ts';
import { inquiryOf } from '../inquiries/rows.ts';
import { getDepartmentNames } from '#domains/institution/server/index.ts';
import type { VisitQuery } from './query.ts';
import { inGroup } from './scope.ts';

export interface Diagnosis {
  icd10: string;
  name: string;
  main: boolean;
}
/** Written by the handlers of this part alone. */
export const diagnosesOf = (value: unknown): Diagnosis[] =>
  ((value as Diagnosis[] | null) ?? []).map(({ icd10, name, main }) => ({ icd10, name, main }));

/** The main diagnosis first, as one line. */
export const diagnosisText = (diagnoses: readonly Diagnosis[]): string | null =>
  diagnoses.length === 0
    ? null
    : diagnoses
        .toSorted((a, b) => Number(b.main) - Number(a.main))
        .map(({ icd10, name }) => (icd10 === '' ? name : `${name}（${icd10}）`))
        .join('；');

const seconds = (to: string, from: string) => sql<number | null>`extract(epoch from ${sql.ref(to)} - ${sql.ref(from)})::int`;

export const selected = (query: VisitQuery, viewer: { userId: string }) =>
  query
    .leftJoin('consultationAssistantDuty as d', (join) =>
      join.on(sql<boolean>`d.assistant_id = coalesce(g.owner_assistant_id, g.last_assistant_id)`),
    )
    .selectAll('i')
    .select([
      'r.id as recordId',
      'r.visitNo',
      'r.state as recordState',
      'r.recordVersion',
      'r.version as recordRowVersion',
      'r.diagnoses',
      'p.hospitalName',
      'p.departmentId',
      'd.name as ownerName',
    ])
    .select([
      sql<number | null>`extract(epoch from i.accepted_at - coalesce(i.paid_at, i.created_at))::int`.as('acceptSec'),
      seconds('i.first_doctor_reply_at', 'i.accepted_at').as('firstReplySec'),
      seconds('i.ended_at', 'i.accepted_at').as('durationSec'),
      sql<boolean>`coalesce(${inGroup(viewer.userId)}, false)`.as('member'),
    ]);
export type SelectedVisit = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

type Seer = Pick<Context, 'has' | 'now'>;

/** Buttons of the record: what its state allows, and only on the newest version. */
export function recordActions(state: VisitRecordState, inquiryEnded: boolean, has: (permission: string) => boolean): string[] {
  return visitRecordMachine.allowed(state, has).filter((action) => action !== 'archive' || inquiryEnded);
}

function actionsFor(row: SelectedVisit, ctx: Seer): string[] {
  const inquiry = inquiryOf(row);
  const ofRecord = row.recordState === null ? [] : recordActions(row.recordState, inquiry.serverStatus === '4', ctx.has);
  const qc = ctx.has(may['visit.qc']) && ['4', '6', '7'].includes(inquiry.serverStatus) ? ['qc'] : [];
  return [...actionsOf(inquiry, ctx.has, ctx.now), ...ofRecord, ...qc];
}

/** One row as the list shows it: who neither serves the patient nor reveals it sees no name and no complaint. */
export function visitRow(row: SelectedVisit, departments: ReadonlyMap<string, string>, ctx: Seer): VisitRow {
  const plain = row.member;
  return {
    serverId: row.id,
    inquiryNo: row.inquiryNo,
    visitRecordId: row.recordId,
    visitNo: row.visitNo,
    groupId: row.groupId,
    serviceType: row.serviceType,
    serviceName: row.itemName,
    suffererName: plain ? row.patientName : mask('name', row.patientName),
    patientId: row.patientId,
    doctorId: row.doctorId,
    doctorName: row.doctorName,
    hospitalName: row.hospitalName,
    departmentName: row.departmentId === null ? null : (departments.get(row.departmentId) ?? null),
    chiefComplaint: row.chiefComplaint === '' ? null : plain ? row.chiefComplaint : mask('medical', row.chiefComplaint),
    plain,
    diagnosis: diagnosisText(diagnosesOf(row.diagnoses)),
    createdAt: row.createdAt,
    acceptSec: row.acceptSec,
    firstReplySec: row.firstReplySec,
    durationSec: row.durationSec,
    roundUsed: row.roundUsed,
    roundLimit: row.roundLimit,
    videoSecUsed: row.videoSecUsed,
    feeFen: row.feeFen,
    refundedFen: row.refundedFen,
    refundState: row.refundState,
    stars: row.stars,
    qcScore: row.qcScore,
    serverStatus: row.serverStatus,
    recordState: row.recordState,
    recordVersion: row.recordVersion,
    ownerAssistantName: row.ownerName,
    endedAt: row.endedAt,
    version: row.version,
    recordRowVersion: row.recordRowVersion,
    canOpenChat: row.member && ctx.has(may['chat.send']),
    allowedActions: actionsFor(row, ctx),
  };
}

/** Names of the departments of some rows, in one statement. */
export const departmentsOf = (db: Db, rows: readonly { departmentId: string | null }[]) =>
  getDepartmentNames(
    db,
    rows.flatMap(({ departmentId }) => departmentId ?? []),
  );
