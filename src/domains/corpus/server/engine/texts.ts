import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { labels, prescribedMedicines, type PatientLabel } from '#domains/patient/server/index.ts';
import { textVariables, variablesIn } from '../../contract/materials/text.ts';
import { own } from '../database.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import type { Sendable } from './materials.ts';
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

const datedVariables = textVariables.flatMap(({ name, code }) => (code === null ? [] : [{ name, code }]));

/** What is asked about the persons whom texts are for. */
export interface Asked {
  /** Names of the variables that the texts show; the others are not read. */
  shown: readonly string[];
  /** Prescription medicines that are about to be sent. */
  medicineIds: readonly string[];
  /** Who the persons are, where that was read already. */
  labels?: ReadonlyMap<string, Pick<PatientLabel, 'salutation'>>;
}

/** What the texts of materials, and a text message beside them, ask. */
export const askedBy = (materials: Iterable<Sendable>, ...texts: readonly string[]): Omit<Asked, 'labels'> => {
  const all = [...materials];
  return {
    shown: [...new Set([...all.flatMap(({ variables }) => variables), ...texts.flatMap(variablesIn)])],
    medicineIds: all.flatMap(({ rxMedicineId }) => rxMedicineId ?? []),
  };
};

/** Reads the texts' facts of runs, once for all of them. */
export async function readTexts(db: Db, runs: readonly Addressed[], asked: Asked, now: Instant): Promise<Texts> {
  const shows = (...names: readonly string[]) => names.some((name) => asked.shown.includes(name));
  const ids = <T>(of: (run: Addressed) => T | null): T[] => [...new Set(runs.flatMap((run) => of(run) ?? []))];
  const patientIds = ids(({ patientId }) => patientId);
  const persons =
    asked.labels ?? new Map(shows('患者称呼') ? (await labels(db, patientIds)).map((label) => [label.patientId, label] as const) : []);
  const doctorIds = shows('医生姓名', '医院') ? ids(({ doctorId }) => doctorId) : [];
  const doctors = new Map((await getDoctors(db, doctorIds)).map((doctor) => [doctor.doctorId, doctor]));
  const diseaseIds = shows('病种') ? ids(({ diseaseId }) => diseaseId) : [];
  const diseases = new Map(
    (diseaseIds.length === 0
      ? []
      : await own(db).selectFrom('corpusDisease').select(['id', 'diseaseName']).where('id', 'in', diseaseIds).execute()
    ).map(({ id, diseaseName }) => [id, diseaseName]),
  );
  const dated = datedVariables.filter(({ name }) => shows(name));
  const facts = await unitFacts(
    db,
    runs,
    dated.map(({ code }) => code),
    now,
  );
  const prescriptions = await prescribedMedicines(db, patientIds, asked.medicineIds, dayOf(now));
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
