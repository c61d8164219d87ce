import { dayOf, days, hours, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, type Random } from '#kernel/server/demo/bulk.ts';
import { ageOn } from '../../contract/idNumber.ts';
import { indicatorOf } from '../../contract/indicators.ts';
import { measure } from '../inspections/convert.ts';
import { STORY, type DemoPerson } from './cast.ts';
import { clinics } from './clinic.ts';
import { HOSPITALS, known } from './courses.ts';

const COUNT = 4_200;
/** The last ones were asked for and not brought yet; those before them wait for whoever reads. */
const [ASKED, UNREAD] = [40, 70];
const EGFR_AFTER = 6;

/** Four values a report, in courses that make sense: sugar falls under treatment, PSA rises before the disease progresses. */
function valuesOf(person: DemoPerson, at: number, round: number, day: string, random: Random) {
  return clinics[person.icd]!.measured.map(([code, start, step, spread]) => {
    const value =
      at === STORY.li && code === 'HBA1C'
        ? [8.6, 8.0, 7.5, 7.1][round]!
        : Math.max(0.1, start + step * round + (random.next() - 0.5) * spread);
    return measure(
      { code, value: value.toFixed(value > 50 ? 0 : 1), unit: indicatorOf(code)!.unit, refLow: null, refHigh: null },
      { gender: person.gender, age: ageOn(person.birthDate, day) },
    );
  });
}

/** 4,200 reports, 40 of them asked for, 70 unread, 30 void. */
export async function writeReports(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const ids = await reserve(tx, 'patient_inspection', COUNT);
  const today = dayOf(now);
  const values: Record<string, unknown>[] = [];
  const rows = ids.map((id, index) => {
    const at = index % people.length;
    const person = people[at]!;
    const round = Math.floor(index / people.length);
    const clinic = clinics[person.icd]!;
    const egfr = index === STORY.zhang;
    const status = index >= COUNT - ASKED ? '0' : index >= COUNT - ASKED - UNREAD ? '1' : '2';
    const voided = index >= 2_000 && index < 2_030;
    const other = status !== '2' && clinic.reports.length > 0 && random.chance(0.6) ? random.pick(clinic.reports) : null;
    const [kind, itemName] = egfr ? ['GENE', 'EGFR基因检测'] : (other ?? ['LAB', clinic.panel]);
    const ago = (3 - round) * 88 + random.int(status === '1' ? 1 : 2, 40);
    const inspectionTime =
      status === '0' ? now : egfr ? plusMs(startOfDay(plusDays(today, -418 + EGFR_AFTER)), hours(10)) : plusMs(person.until, -days(ago));
    // What nobody has read yet has no values either.
    if (kind === 'LAB' && status === '2')
      values.push(
        ...valuesOf(person, at, round, dayOf(inspectionTime), random).map((measured) => ({
          inspectionId: id,
          patientId: person.id,
          ...measured,
          inspectionTime,
        })),
      );
    const createdAt =
      status === '1'
        ? plusMs(now, -days(random.int(0, 3)) - hours(1))
        : status === '0'
          ? plusMs(now, -days(random.int(0, 6)) - hours(2))
          : known(person, plusMs(inspectionTime, hours(1)));
    const readAt = status === '2' ? plusMs(createdAt, hours(20)) : null;
    return {
      id,
      inspectionNo: `JC${today.replaceAll('-', '')}${String(900_000 + index)}`,
      patientId: person.id,
      kind,
      itemName,
      hospitalName: status === '0' ? '' : random.pick(HOSPITALS),
      inspectionTime,
      conclusion: egfr ? 'EGFR 19号外显子缺失突变阳性' : status === '2' ? clinic.conclusion : '',
      fileIds: [],
      source: random.pick(['PATIENT', 'ASSISTANT']),
      requestId: null,
      dueOn: status === '0' ? plusDays(today, random.int(1, 14)) : null,
      status,
      ocr: null,
      readBy: null,
      readAt,
      voidedAt: voided ? plusMs(createdAt, days(2)) : null,
      voidReason: voided ? '上传了他人的报告' : null,
      version: status === '2' ? 2 : 1,
      createdAt,
      createdBy: null,
      updatedAt: readAt ?? createdAt,
      updatedBy: null,
    };
  });
  await bulk(tx, 'patient_inspection', rows);
  const valueIds = await reserve(tx, 'patient_indicator', values.length);
  await bulk(
    tx,
    'patient_indicator',
    values.map((row, index) => ({ id: valueIds[index], ...row })),
  );
}
