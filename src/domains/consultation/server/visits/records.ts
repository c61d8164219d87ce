import { lockWithin } from '#kernel/server/record/lockWithin.ts';
import { sql, type Selectable } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { VisitRecord } from '../../contract/calls/visits.ts';
import type { ServerStatus, VisitRecordState } from '../../contract/states.ts';
import { own, type ConsultationTables } from '../database.ts';
import { inquiryOf, type InquiryRow } from '../inquiries/rows.ts';
import { diagnosesOf, recordActions, type Diagnosis } from './rows.ts';
import { visitsSeen } from './query.ts';
import type { Viewer } from './scope.ts';

export const RECORD_TARGET = 'consultation.visitRecord';

export type RecordRow = Omit<Selectable<ConsultationTables['consultationVisitRecord']>, 'state' | 'diagnoses'> & {
  state: VisitRecordState;
  diagnoses: Diagnosis[];
};

/** CHECK constraints hold the codes. */
export const recordOf = (row: Selectable<ConsultationTables['consultationVisitRecord']>): RecordRow => ({
  ...row,
  diagnoses: diagnosesOf(row.diagnoses),
});

export interface LockedRecord {
  record: RecordRow;
  inquiry: InquiryRow;
}

/**
 * Locks a version of a record; its inquiry may not change its state meanwhile.
 * @param viewer whose scope limits it; absent for the system and for participants, who are judged by their group.
 * @throws Refusal SCM90040
 */
export async function lockRecord(tx: Tx, id: string, viewer?: Viewer): Promise<LockedRecord> {
  const { row, place } = await lockWithin(own(tx).selectFrom('consultationVisitRecord').selectAll().where('id', '=', id), {
    key: ({ inquiryId }) => inquiryId,
    async lock(inquiryId) {
      const seen = viewer === undefined || (await visitsSeen(tx, viewer).select('i.id').where('i.id', '=', inquiryId).executeTakeFirst());
      if (!seen) throw refuse(platformErrors.NOT_FOUND);
      return own(tx).selectFrom('consultationInquiry').selectAll().where('id', '=', inquiryId).forShare().executeTakeFirstOrThrow();
    },
  });
  return { record: recordOf(row), inquiry: inquiryOf(place) };
}

const masked = (text: string, plain: boolean): string => (plain || text === '' ? text : mask('medical', text));

/** A version as it leaves; actions belong to the newest one. */
export function presentRecord(
  record: RecordRow,
  facts: { plain: boolean; newest: boolean; serverStatus: ServerStatus; has(permission: string): boolean; confirmedBy: string | null },
): VisitRecord {
  const { plain } = facts;
  return {
    id: record.id,
    recordVersion: record.recordVersion,
    visitNo: record.visitNo,
    current: record.current,
    state: record.state,
    visitTime: record.visitTime,
    chiefComplaint: masked(record.chiefComplaint, plain),
    presentIllness: masked(record.presentIllness, plain),
    pastHistory: masked(record.pastHistory, plain),
    allergy: masked(record.allergy, plain),
    diagnoses: record.diagnoses,
    advice: masked(record.advice, plain),
    revisitOn: record.revisitOn,
    suggestionIds: record.suggestionIds,
    inspectionIds: record.inspectionIds,
    confirmedAt: record.confirmedAt,
    confirmedBy: record.confirmedAt === null ? null : facts.confirmedBy,
    archivedAt: record.archivedAt,
    archivedFileId: record.archivedFileId,
    sha256: record.sha256,
    correctReason: record.correctReason,
    version: record.version,
    allowedActions: facts.newest ? recordActions(record.state, facts.serverStatus === '4', facts.has) : [],
  };
}

/** All versions of an inquiry, newest first. */
export async function versionsOf(db: Db | Tx, inquiryId: string): Promise<RecordRow[]> {
  return (
    await own(db)
      .selectFrom('consultationVisitRecord')
      .selectAll()
      .where('inquiryId', '=', inquiryId)
      .orderBy('recordVersion', 'desc')
      .execute()
  ).map(recordOf);
}

/** Newest version number of an inquiry's record. */
export async function newestVersion(tx: Tx, inquiryId: string): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select coalesce(max(record_version), 0) as n from consultation_visit_record where inquiry_id = ${inquiryId}`.execute(tx);
  return rows[0]?.n ?? 0;
}
