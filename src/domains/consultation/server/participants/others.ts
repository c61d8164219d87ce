import { refuseField } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { titles } from '#domains/doctor/contract/dictionaries.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { getBaseInfo, labels } from '#domains/patient/server/index.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';

/** What the participants' page asks of doctor, patient and pharma. */

export interface DoctorFace {
  titleName: string | null;
  hospitalName: string | null;
}
export async function doctorCards(db: Db | Tx, doctorIds: readonly string[]): Promise<Map<string, DoctorFace>> {
  const doctors = await getDoctors(db, [...new Set(doctorIds)]);
  return new Map(
    doctors.map(({ doctorId, titleCode, hospitalName }) => [
      doctorId,
      { titleName: titleCode === null ? null : titles.label(titleCode), hospitalName },
    ]),
  );
}

export interface PatientFace {
  patientId: string;
  name: string;
  gender: number | null;
  age: number | null;
  allergy: string | null;
}
/** The person whom a doctor treats: no mobile, no identity number. */
export async function patientFace(db: Db, patientId: string, now: Instant): Promise<PatientFace | null> {
  const [label] = await labels(db, [patientId]);
  if (!label) return null;
  const base = await getBaseInfo(db, patientId, now);
  return { patientId, name: label.name, gender: label.gender, age: base.age, allergy: base.allergyHistory };
}

export interface Prescribable {
  medicineId: string;
  medicineName: string;
  spec: string;
  isRx: boolean;
  unit: string;
  ingredients: readonly string[];
}
/** Medicines that may be suggested now, by id. @throws Refusal SCM90020 for one that is not on sale. */
export async function prescribable(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Prescribable>> {
  const found = await getMedicines(db, ids);
  const onSale = found.filter(({ state }) => state === 'ON');
  if (onSale.length < new Set(ids).size) throw refuseField('medicines', '部分药品已下架，请重新选择');
  return new Map(
    onSale.map(({ medicineId, genericName, brandName, spec, rxRequired, skus }) => [
      medicineId,
      {
        medicineId,
        medicineName: brandName === null ? genericName : `${brandName} ${genericName}`,
        spec: spec ?? '',
        isRx: rxRequired === true,
        unit: skus[0]?.unit ?? '盒',
        ingredients: [genericName],
      },
    ]),
  );
}
