import { dayOf, days, instantOf, minutes, plusDays, type Instant } from '#kernel/contract/time.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { ownTx } from '../database.ts';
import { inquiryOf } from '../inquiries/rows.ts';
import { placeOf } from '../visits/archive.ts';
import { storeArchived } from '../visits/files.ts';
import { recordPdf } from '../visits/pdf.ts';
import { recordOf } from '../visits/records.ts';
import type { Consult } from './consults.ts';
import type { DemoGroup } from './groups.ts';
import { system } from './line.ts';
import { STORIES } from './stage.ts';

const CORRECTED = 9;
/** What was confirmed so long ago is archived, as the job does. */
const ARCHIVED_AFTER = days(7);
const REASON = '补充既往史并更正诊断';

export interface DemoRecord {
  id: string;
  consult: Consult;
  version: number;
  current: boolean;
  state: 'DRAFT' | 'WAIT_DOCTOR' | 'CONFIRMED' | 'ARCHIVED' | 'SUPERSEDED';
  createdAt: number;
  confirmedAt: number | null;
  archivedAt: number | null;
  reason: string | null;
  /** A draft in which nothing is written yet. */
  blank: boolean;
}

/** What becomes of the record of the n-th ended inquiry; those of the last days are still being written. */
function fateOf(consult: Consult, n: number, now: number): DemoRecord['state'] {
  if (consult.order.patientId === STORIES.wang && consult.rounds === 5) return 'ARCHIVED';
  if (now - consult.over! < days(2)) return n % 2 === 0 ? 'DRAFT' : 'WAIT_DOCTOR';
  return n % 16 === 0 ? 'DRAFT' : n % 16 === 5 ? 'WAIT_DOCTOR' : 'CONFIRMED';
}

/** A record for each inquiry that ended, nine of them corrected; the cards of the confirmed ones are added to the groups. */
export async function planRecords(tx: Tx, now: Instant, groupOf: ReadonlyMap<Consult, DemoGroup>): Promise<DemoRecord[]> {
  const ended = [...groupOf].filter(([{ status }]) => status === '4').toSorted(([a], [b]) => a.over! - b.over!);
  const ids = await reserve(tx, 'consultation_visit_record', ended.length + CORRECTED);
  const at = Date.parse(now);
  const records: DemoRecord[] = [];
  let corrected = 0;
  ended.forEach(([consult, group], n) => {
    const over = consult.over!;
    const fate = fateOf(consult, n, at);
    const confirmedAt = fate === 'CONFIRMED' || fate === 'ARCHIVED' ? Math.min(over + minutes(50), at) : null;
    const corrects = fate === 'CONFIRMED' && n % 20 === 11 && corrected < CORRECTED;
    const archives = fate === 'ARCHIVED' || (fate === 'CONFIRMED' && !corrects && at - confirmedAt! >= ARCHIVED_AFTER);
    // Of the corrections five wait for the doctor, four hold already.
    const holds = corrects && corrected % 2 === 1;
    const record: DemoRecord = {
      id: ids[records.length]!,
      consult,
      version: 1,
      current: !holds,
      state: holds ? 'SUPERSEDED' : archives ? 'ARCHIVED' : fate,
      createdAt: over,
      confirmedAt,
      archivedAt: archives ? Math.min(confirmedAt! + ARCHIVED_AFTER, at) : null,
      reason: null,
      // By its place, never by its id: ids differ where an interrupted start has drawn some.
      blank: fate === 'DRAFT' && records.length % 2 === 1,
    };
    records.push(record);
    if (corrects) {
      corrected += 1;
      records.push({
        id: ids[records.length]!,
        consult,
        version: 2,
        current: holds,
        state: holds ? 'CONFIRMED' : 'DRAFT',
        createdAt: Math.min(over + days(1), at),
        confirmedAt: holds ? Math.min(over + days(1) + minutes(40), at) : null,
        archivedAt: null,
        reason: REASON,
        blank: false,
      });
    }
    if (confirmedAt !== null && confirmedAt < at) {
      const { course } = consult;
      const card = {
        businessID: 'visit_summary' as const,
        v: 1 as const,
        visitRecordId: record.id,
        diagnoses: diagnosesOf(consult),
        advice: course.record.advice,
      };
      group.lines.push(
        system(
          confirmedAt,
          messageTypes.CUSTOM,
          cardPayload(card, `就诊小结：${course.name}（${course.icd10}）`),
          `visit:${record.id}`,
          `visit:${record.id}`,
        ),
      );
    }
  });
  return records;
}

export const diagnosesOf = ({ course }: Consult) => [{ icd10: course.icd10, name: course.name, main: true }];

/** Writes them, and the prints of the archived ones. */
export async function writeRecords(kernel: Kernel, tx: Tx, now: Instant, records: readonly DemoRecord[]): Promise<void> {
  const numbers = new Map<DemoRecord, string>();
  for (const [day, ofDay] of Map.groupBy(records, ({ createdAt }) => dayOf(instantOf(createdAt)))) {
    const made = await nextNumbers(tx, 'JZ', day, ofDay.length);
    ofDay.forEach((record, index) => numbers.set(record, made[index]!));
  }
  await bulk(
    tx,
    'consultation_visit_record',
    records.map((record) => {
      const { consult, state, confirmedAt, archivedAt, blank } = record;
      const { record: found } = consult.course;
      const updatedAt = instantOf(archivedAt ?? confirmedAt ?? record.createdAt);
      return {
        id: record.id,
        inquiryId: consult.id,
        recordVersion: record.version,
        visitNo: numbers.get(record),
        current: record.current,
        visitTime: instantOf(consult.accepted!),
        doctorId: consult.order.doctorId,
        patientId: consult.order.patientId,
        chiefComplaint: consult.complaint.slice(0, 200),
        presentIllness: blank ? '' : found.present,
        pastHistory: blank ? '' : found.past,
        allergy: consult.order.allergy === '无' ? found.allergy : consult.order.allergy,
        diagnoses: blank ? [] : diagnosesOf(consult),
        advice: blank ? '' : found.advice,
        revisitOn: blank ? null : plusDays(dayOf(instantOf(consult.over!)), 28),
        suggestionIds: [],
        inspectionIds: [],
        state,
        confirmedBy: confirmedAt === null ? null : consult.order.doctorOperatorId,
        confirmedAt: confirmedAt === null ? null : instantOf(confirmedAt),
        archivedAt: archivedAt === null ? null : instantOf(archivedAt),
        archivedFileId: null,
        sha256: null,
        correctReason: record.reason,
        version: { DRAFT: blank ? 1 : 2, WAIT_DOCTOR: 3, CONFIRMED: 4, ARCHIVED: 5, SUPERSEDED: 6 }[state],
        createdAt: instantOf(record.createdAt),
        createdBy: null,
        updatedAt,
        updatedBy: null,
      };
    }),
  );
  for (const { id, consult, archivedAt } of records.filter(({ state }) => state === 'ARCHIVED')) {
    const row = recordOf(await ownTx(tx).selectFrom('consultationVisitRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow());
    const inquiry = inquiryOf(
      await ownTx(tx).selectFrom('consultationInquiry').selectAll().where('id', '=', consult.id).executeTakeFirstOrThrow(),
    );
    const body = recordPdf(row, inquiry, { ...(await placeOf({ tx }, inquiry.doctorId)), by: '系统归档', at: instantOf(archivedAt!) });
    const file = await storeArchived(kernel, tx, `就诊小结${row.visitNo}.pdf`, body, now);
    await ownTx(tx)
      .updateTable('consultationVisitRecord')
      .set({ archivedFileId: file.fileId, sha256: file.sha256 })
      .where('id', '=', id)
      .execute();
  }
}
