import { dayOf, days, hours, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, type Random } from '#kernel/server/demo/bulk.ts';
import { STORY, stories, type DemoPerson } from './cast.ts';
import { clinics, diseases, meets } from './clinic.ts';

interface Diagnosis {
  id: string;
  person: DemoPerson;
  index: number;
  icd: string;
  on: string;
}

export const HOSPITALS = ['市第一人民医院', '省肿瘤医院', '大学附属医院'] as const;
const writtenAt = (at: Instant) => ({ version: 1, createdAt: at, createdBy: null, updatedAt: at, updatedBy: null });
/** A fact older than the record came in with it. */
export const known = (person: DemoPerson, at: Instant): Instant => (at > person.createdAt ? at : plusMs(person.createdAt, hours(1)));

/** The first disease of the twelve after the main one that the person can have. */
function secondOf({ icd, gender, age }: DemoPerson, skip: number): string {
  const from = diseases.indexOf(icd) + 1 + skip;
  const fitting = Array.from(diseases, (_, step) => diseases[(from + step) % diseases.length]!).filter(
    (other) => other !== icd && !other.startsWith('C') && meets(other, gender, age - 7),
  );
  return fitting[0] ?? 'L20';
}

/** The n-th diagnosis of a person: days ago when it was made, always within his life and before the end of it. */
function dayOfDiagnosis(person: DemoPerson, at: number, round: number, icd: string, today: string, random: Random): string {
  const counted = round === 0 ? stories[at]?.[4] : undefined;
  const ago = counted ?? random.int(120, 2_400);
  const least = plusDays(person.birthDate, Math.ceil(365.25 * clinics[icd]!.youngest) + 1);
  const on = plusDays(today, -ago);
  return on < least ? least : on;
}

/** 2,100 diagnoses over twelve diseases, their treatments, and 病情资料. */
export async function writeHistory(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const today = dayOf(now);
  const ids = await reserve(tx, 'patient_diagnosis', 2_100);
  const diagnoses: Diagnosis[] = ids.map((id, index) => {
    const at = index % people.length;
    const person = people[at]!;
    const round = Math.floor(index / people.length);
    const icd = round === 0 ? person.icd : secondOf(person, index % 5);
    return { id, person, index, icd, on: dayOfDiagnosis(person, at, round, icd, today, random) };
  });
  await bulk(
    tx,
    'patient_diagnosis',
    diagnoses.map(({ id, person, index, icd, on }) => {
      const { name, department } = clinics[icd]!;
      return {
        id,
        patientId: person.id,
        icd10: icd,
        name,
        stage: icd.startsWith('C') ? random.pick(['Ⅰ期', 'Ⅱ期', 'Ⅲ期', 'Ⅳ期']) : '',
        isPrimary: index < people.length,
        diagnosedAt: on,
        hospitalId: null,
        hospitalName: random.pick(HOSPITALS),
        departmentName: department,
        doctorName: '',
        state: index < people.length || random.chance(0.8) ? 'CONFIRMED' : 'SUSPECTED',
        source: random.pick(['DOCTOR', 'ASSISTANT', 'PATIENT', 'ENROL']),
        sourceRef: null,
        verifiedBy: null,
        fileIds: [],
        voidedAt: null,
        voidReason: null,
        ...writtenAt(known(person, plusMs(startOfDay(on), days(1)))),
      };
    }),
  );
  await writeTreatments(tx, diagnoses, random);
  const texts = people
    .filter((_, index) => index % 3 === 0)
    .flatMap((person) => [
      { person, code: 'P01', text: clinics[person.icd]!.complaint },
      { person, code: 'P02', text: '规律服药，复查指标较前好转，无明显不适。' },
    ]);
  const textIds = await reserve(tx, 'patient_record_text', texts.length);
  await bulk(
    tx,
    'patient_record_text',
    texts.map(({ person, code, text }, index) => ({
      id: textIds[index],
      patientId: person.id,
      paragraphCode: code,
      text,
      fileIds: [],
      source: 'ASSISTANT',
      voidedAt: null,
      voidReason: null,
      ...writtenAt(known(person, plusMs(person.until, -days(random.int(1, 200))))),
    })),
  );
}

async function writeTreatments(tx: Tx, diagnoses: readonly Diagnosis[], random: Random): Promise<void> {
  const treatments = diagnoses.flatMap((one) => {
    const list = clinics[one.icd]!.regimens;
    const lines = one.index === STORY.zhang ? 2 : Math.min(list.length, random.chance(0.72) ? 2 : 1);
    return Array.from({ length: lines }, (_, line) => ({
      one,
      line,
      last: line === lines - 1,
      entry: one.index === STORY.zhang ? (['TARGET', line === 0 ? '吉非替尼' : '奥希替尼'] as const) : list[line]!,
    }));
  });
  const ids = await reserve(tx, 'patient_treatment', treatments.length);
  await bulk(
    tx,
    'patient_treatment',
    treatments.map(({ one: { id, icd, on, person }, line, last, entry: [kind, regimen] }, index) => {
      const startOn = plusDays(on, 10 + line * 45);
      const cancer = icd.startsWith('C');
      const operated = kind === 'SURGERY';
      return {
        id: ids[index],
        diagnosisId: id,
        kind,
        regimen,
        lineNo: cancer ? line + 1 : null,
        startOn,
        endOn: operated ? startOn : last ? null : plusDays(startOn, 44),
        outcome: cancer ? (operated ? 'CR' : last ? random.pick(['PR', 'SD']) : 'PD') : null,
        adverseGrade: random.chance(0.4) ? random.int(0, 3) : null,
        note: '',
        source: 'DOCTOR',
        fileIds: [],
        voidedAt: null,
        voidReason: null,
        ...writtenAt(known(person, startOfDay(startOn))),
      };
    }),
  );
}
