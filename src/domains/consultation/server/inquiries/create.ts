import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { ownTx } from '../database.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import type { Deed } from '../deed.ts';
import { requireRealName, doctorFacts, openingFacts, payUrlOf, personsOf, sellService } from '../partners.ts';
import { openInquiry } from './open.ts';
import { inquiryOf, type InquiryRow } from './rows.ts';
import { writeInquiry } from './write.ts';

export interface NewInquiry {
  suffererOperatorId: string;
  /** One person of the account; by default its default one. */
  patientId?: string | undefined;
  openingId: string;
  slotAt?: string | undefined;
  source: 'STAFF' | 'DESK' | 'PATIENT';
  chiefComplaint: string;
  attachmentFileIds: readonly string[];
  scanToken?: string | undefined;
}
export interface Created {
  inquiry: InquiryRow;
  payUrl: string | null;
}

/** An inquiry of the same pair that is not over: unpaid ones of the same service are answered again, others refuse. */
async function running(
  ctx: Deed,
  patientId: string,
  doctor: { doctorId: string; name: string },
  openingId: string,
): Promise<Created | null> {
  const row = await ownTx(ctx.tx)
    .selectFrom('consultationInquiry')
    .selectAll()
    .where('patientId', '=', patientId)
    .where('doctorId', '=', doctor.doctorId)
    .where('serverStatus', 'in', ['0', '1', '2', '3'])
    .executeTakeFirst();
  if (!row) return null;
  const inquiry = inquiryOf(row);
  if (inquiry.serverStatus === '0' && inquiry.openingId === openingId) return { inquiry, payUrl: payUrlOf(ctx, inquiry.orderNo) };
  throw refuse(errors.INQUIRY_LIVE, { doctor: `${doctor.name}医生`, inquiryNo: inquiry.inquiryNo });
}

/**
 * 代开问诊: inquiry and order in one transaction; what costs nothing opens at once.
 * @throws Refusal SCM10010 while one runs, doctor's SCM07076-07079, patient's refusals of the real-name rules.
 */
export async function createInquiry(ctx: Deed, wish: NewInquiry): Promise<Created> {
  const persons = await personsOf(ctx.tx, wish.suffererOperatorId);
  const person = wish.patientId === undefined ? persons[0] : persons.find(({ patientId }) => patientId === wish.patientId);
  const opening = await openingFacts(ctx.tx, wish.openingId);
  const doctor = opening ? await doctorFacts(ctx.tx, opening.doctorId) : null;
  if (!person || !opening || !doctor) throw refuse(platformErrors.NOT_FOUND);
  const present = await running(ctx, person.patientId, doctor, wish.openingId);
  if (present) return present;
  await requireRealName(ctx, {
    patientId: person.patientId,
    scene: 'CONSULT',
    itemId: opening.itemId,
    doctorId: doctor.doctorId,
    floor: opening.floor,
  });
  const made = await sellService(ctx, {
    patientId: person.patientId,
    name: person.name,
    openingId: wish.openingId,
    slotAt: wish.slotAt,
    scanToken: wish.scanToken,
  });
  const inquiry = await writeInquiry(
    ctx,
    made.order,
    { doctorOperatorId: doctor.operatorId, doctorName: doctor.name, suffererOperatorId: wish.suffererOperatorId, patientName: person.name },
    { source: wish.source, openingId: wish.openingId, chiefComplaint: wish.chiefComplaint, attachmentFileIds: wish.attachmentFileIds },
  );
  if (!made.paid) return { inquiry, payUrl: made.payUrl };
  const { itemSnapshot, payFen, ...order } = made.order;
  return {
    inquiry: await openInquiry(ctx, { ...order, itemSnapshot, payFen, assistantId: null, channelId: null, scanId: null, at: ctx.now }),
    payUrl: null,
  };
}
