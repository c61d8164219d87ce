import type { Deed } from '../deed.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { ownTx } from '../database.ts';
import type { InquiryRow } from '../inquiries/rows.ts';

/** The summary of an inquiry that ended, begun with what the patient said; a reopened one keeps the summary that it has. */
export async function draftRecord(ctx: Deed, inquiry: InquiryRow): Promise<void> {
  const known = await ownTx(ctx.tx)
    .selectFrom('consultationVisitRecord')
    .select('id')
    .where('inquiryId', '=', inquiry.id)
    .executeTakeFirst();
  if (known) return;
  await ownTx(ctx.tx)
    .insertInto('consultationVisitRecord')
    .values({
      inquiryId: inquiry.id,
      recordVersion: 1,
      visitNo: await nextNumber(ctx.tx, 'JZ', ctx.today),
      current: true,
      visitTime: inquiry.acceptedAt ?? inquiry.createdAt,
      doctorId: inquiry.doctorId,
      patientId: inquiry.patientId,
      chiefComplaint: inquiry.chiefComplaint,
      allergy: inquiry.allergyNote,
      state: 'DRAFT',
      ...createdColumns(ctx),
    })
    .execute();
}
