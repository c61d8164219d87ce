import type { Selectable } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import type { DiagnosisRow, TreatmentRow } from '../../contract/calls/panel.ts';
import { own } from '../database.ts';
import type { PatientDiagnosis, PatientTreatment } from '../tables.ts';

const MOST = 200;

export const presentTreatment = (row: Selectable<PatientTreatment>): TreatmentRow => ({
  id: row.id,
  diagnosisId: row.diagnosisId,
  kind: row.kind,
  regimen: row.regimen,
  lineNo: row.lineNo,
  startOn: row.startOn,
  endOn: row.endOn,
  outcome: row.outcome,
  adverseGrade: row.adverseGrade,
  note: row.note,
  source: row.source,
  fileIds: row.fileIds.map(String),
  version: row.version,
});
export const presentDiagnosis = (row: Selectable<PatientDiagnosis>, treatments: readonly TreatmentRow[]): DiagnosisRow => ({
  id: row.id,
  patientId: row.patientId,
  icd10: row.icd10,
  name: row.name,
  stage: row.stage || null,
  isPrimary: row.isPrimary,
  diagnosedAt: row.diagnosedAt,
  hospitalId: row.hospitalId,
  hospitalName: row.hospitalName,
  departmentName: row.departmentName,
  doctorName: row.doctorName,
  state: row.state,
  source: row.source,
  verifiedBy: row.verifiedBy,
  fileIds: row.fileIds.map(String),
  version: row.version,
  createdAt: row.createdAt,
  treatments: [...treatments],
});

/** Diagnoses, the latest first, each with its treatments in the order of their beginning. */
export async function historyOf(db: Db, groupIds: readonly string[]): Promise<DiagnosisRow[]> {
  const diagnoses = await own(db)
    .selectFrom('patientDiagnosis')
    .selectAll()
    .where('patientId', 'in', [...groupIds])
    .where('voidedAt', 'is', null)
    .orderBy('diagnosedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  if (diagnoses.length === 0) return [];
  const treatments = await own(db)
    .selectFrom('patientTreatment')
    .selectAll()
    .where(
      'diagnosisId',
      'in',
      diagnoses.map(({ id }) => id),
    )
    .where('voidedAt', 'is', null)
    .orderBy('startOn')
    .orderBy('id')
    .execute();
  const of = Map.groupBy(treatments, ({ diagnosisId }) => diagnosisId);
  return diagnoses.map((row) => presentDiagnosis(row, (of.get(row.id) ?? []).map(presentTreatment)));
}
