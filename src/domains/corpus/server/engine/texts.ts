import { dayOf, type Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { getDoctors } from '../../../doctor/server/index.ts';
import { labels, prescribedMedicines } from '../../../patient/server/index.ts';
import { textVariables } from '../../contract/materials/text.ts';
import { corpusDb } from '../database.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import type { Run } from './runs.ts';

/** Whom a text is for; outside of a run neither conversation nor disease need be known. */
type Addressed = Pick<Run, 'patientId' | 'doctorId'> & { conversationId: string | null; diseaseId: string | null };

/** What texts are filled with, and what a medicine's card asks for. */
export interface Texts {
  /** Values of the text variables by their names; what nobody knows is missing. */
  values(run: Addressed): Readonly<Record<string, string>>;
  /** Whether the patient has a valid prescription for the medicine. */
  prescribed(patientId: string, medicineId: string): boolean;
}

const dated = textVariables.flatMap(({ name, code }) => (code === null ? [] : [{ name, code }]));

/** Reads the texts' facts of runs, once for all of them. @param medicineIds prescription medicines that are about to be sent */
export async function readTexts(db: Db, runs: readonly Addressed[], medicineIds: readonly string[], now: Instant): Promise<Texts> {
  const patientIds = [...new Set(runs.map(({ patientId }) => patientId))];
  const persons = new Map((await labels(db, patientIds)).map((label) => [label.patientId, label]));
  const doctorIds = [...new Set(runs.flatMap(({ doctorId }) => (doctorId === null ? [] : [doctorId])))];
  const doctors = new Map((await getDoctors(db, doctorIds)).map((doctor) => [doctor.doctorId, doctor]));
  const diseases = new Map(
    (
      await corpusDb(db)
        .selectFrom('corpusDisease')
        .select(['id', 'diseaseName'])
        .where('id', 'in', [...new Set(['0', ...runs.flatMap(({ diseaseId }) => diseaseId ?? [])])])
        .execute()
    ).map(({ id, diseaseName }) => [id, diseaseName]),
  );
  const facts = await unitFacts(
    db,
    runs,
    dated.map(({ code }) => code),
    now,
  );
  const prescriptions = await prescribedMedicines(db, patientIds, medicineIds, dayOf(now));
  return {
    values(run) {
      const doctor = run.doctorId === null ? undefined : doctors.get(run.doctorId);
      const [, month, day] = dayOf(now).split('-').map(Number);
      const known: Record<string, string | null | undefined> = {
        患者称呼: persons.get(run.patientId)?.salutation,
        医生姓名: doctor?.name,
        医院: doctor?.hospitalName,
        病种: run.diseaseId === null ? null : diseases.get(run.diseaseId),
        当前日期: `${month}月${day}日`,
        ...Object.fromEntries(dated.map(({ name, code }) => [name, facts.get(unitKey(run))?.get(code)?.value])),
      };
      return Object.fromEntries(Object.entries(known).flatMap(([name, value]) => (value ? [[name, value]] : [])));
    },
    prescribed: (patientId, medicineId) => prescriptions.has(`${patientId}:${medicineId}`),
  };
}
