import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import { seesDoctor } from '../access.ts';
import { recordOf } from '../../../../kernel/server/record/recordOf.ts';
import { own, type DoctorDb } from '../database.ts';
import type { QualPayload } from './payload.ts';

/** An application is seen by who sees its doctor. */
export const appliesSeen = (db: DoctorDb, viewer: Viewer) =>
  db.selectFrom('doctorQualApply as q').innerJoin('doctorDoctor as d', 'd.id', 'q.doctorId').where(seesDoctor(viewer));

/** A lock holds the doctor with it. */
export const applyRecords = recordOf((db) =>
  own(db).selectFrom('doctorQualApply as q').innerJoin('doctorDoctor as d', 'd.id', 'q.doctorId').selectAll('q'),
)
  .as((row) => ({ ...row, payload: row.payload as QualPayload }))
  .with({ noun: '资质审核单', type: 'doctor.qualApply', id: 'q.id', scope: seesDoctor, locks: ['d', 'q'] });
export type ApplyRecord = Awaited<ReturnType<typeof applyRecords.get>>;
