import { Refusal, refuse } from '#kernel/contract/errors.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { own, ownTx } from '../database.ts';
import { systemDeed, type Deed } from '../deed.ts';
import { getDepartmentNames } from '#domains/institution/server/index.ts';
import { storeArchived } from './files.ts';
import { recordPdf } from './pdf.ts';
import { lockRecord, type LockedRecord, type RecordRow } from './records.ts';
import { moveRecord } from './write.ts';

/** Where the doctor worked, as the print names it. */
export async function placeOf(
  ctx: Pick<Deed, 'tx'>,
  doctorId: string,
): Promise<{ hospitalName: string | null; departmentName: string | null }> {
  const place = await ownTx(ctx.tx)
    .selectFrom('consultationDoctorPlace')
    .select(['hospitalName', 'departmentId'])
    .where('doctorId', '=', doctorId)
    .executeTakeFirst();
  const names = await getDepartmentNames(ctx.tx, place?.departmentId ? [place.departmentId] : []);
  return {
    hospitalName: place?.hospitalName ?? null,
    departmentName: place?.departmentId ? (names.get(place.departmentId) ?? null) : null,
  };
}

/** Closes a confirmed record for good and keeps its print with its hash. @throws Refusal SCM10053 while the inquiry runs. */
export async function archiveRecord(ctx: Deed, { record, inquiry }: LockedRecord): Promise<RecordRow> {
  if (record.state === 'CONFIRMED' && inquiry.serverStatus !== '4') throw refuse(errors.INQUIRY_OPEN);
  const archived = await moveRecord(ctx, record, 'archive', { archivedAt: ctx.now });
  const body = recordPdf(archived, inquiry, {
    ...(await placeOf(ctx, inquiry.doctorId)),
    by: ctx.staffOrNull?.displayName ?? '系统归档',
    at: ctx.now,
  });
  const file = await storeArchived(ctx.kernel, ctx.tx, `就诊小结${archived.visitNo}.pdf`, body, ctx.now);
  await ownTx(ctx.tx)
    .updateTable('consultationVisitRecord')
    .set({ archivedFileId: file.fileId, sha256: file.sha256 })
    .where('id', '=', archived.id)
    .execute();
  return { ...archived, archivedFileId: file.fileId, sha256: file.sha256 };
}

const AFTER = days(7);
const BATCH = 200;

/** Confirmed records become archived after seven days, each in a transaction of its own. */
export const archiveJob = job({
  name: 'consultation.archiveVisitRecords',
  label: '自动归档就诊小结',
  cron: '20 * * * *',
  expireSeconds: 1_800,
  async run(_data, { kernel, db, now, traceId, signal, transaction }) {
    const due = await own(db)
      .selectFrom('consultationVisitRecord as r')
      .innerJoin('consultationInquiry as i', 'i.id', 'r.inquiryId')
      .select('r.id')
      .where('r.state', '=', 'CONFIRMED')
      .where('r.confirmedAt', '<=', plusMs(now, -AFTER))
      .where('i.serverStatus', '=', '4')
      .orderBy('r.confirmedAt')
      .limit(BATCH)
      .execute();
    for (const { id } of due) {
      if (signal.aborted) return;
      await transaction(async (writing) => {
        const ctx = systemDeed(writing, { kernel, now, traceId });
        const locked = await lockRecord(ctx.tx, id);
        if (locked.record.state === 'CONFIRMED') await archiveRecord(ctx, locked);
      }).catch((error: unknown) => {
        // Somebody corrected it or opened the inquiry again meanwhile; everything else must be seen.
        if (!(error instanceof Refusal)) throw error;
      });
    }
  },
});
