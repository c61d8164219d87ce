import type { PayloadOf } from '#kernel/contract/event.ts';
import type { consultOrderPaid } from '#events/doctor.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Deed } from '../deed.ts';
import { serviceTypes } from '../../contract/dictionaries.ts';
import { ownTx } from '../database.ts';
import { inquiryOf, type InquiryRow } from './rows.ts';

/** The order's side of an inquiry, frozen when it was sold. */
export type SoldOrder = Pick<
  PayloadOf<typeof consultOrderPaid>,
  'orderId' | 'orderNo' | 'doctorId' | 'patientId' | 'itemId' | 'itemSnapshot' | 'slotAt' | 'payFen'
>;
export interface InquiryPeople {
  doctorOperatorId: string;
  doctorName: string;
  suffererOperatorId: string;
  patientName: string;
}
export interface InquiryWish {
  source: 'PATIENT' | 'DESK' | 'STAFF';
  openingId?: string | null;
  chiefComplaint?: string;
  attachmentFileIds?: readonly string[];
}

const HOURS_A_DAY = 24;
const SECONDS_A_MINUTE = 60;

/** Writes an inquiry that waits for its payment. */
export async function writeInquiry(ctx: Deed, order: SoldOrder, people: InquiryPeople, wish: InquiryWish): Promise<InquiryRow> {
  const { itemSnapshot: item } = order;
  const row = await ownTx(ctx.tx)
    .insertInto('consultationInquiry')
    .values({
      inquiryNo: await nextNumber(ctx.tx, 'WZ', ctx.today),
      ...people,
      doctorId: order.doctorId,
      patientId: order.patientId,
      orderId: order.orderId,
      orderNo: order.orderNo,
      openingId: wish.openingId ?? null,
      itemId: order.itemId,
      itemName: item.itemName,
      serviceType: serviceTypes.schema.parse(item.serviceType),
      careKind: item.careKind,
      billing: item.billing,
      feeFen: String(order.payFen),
      acceptHours: item.acceptHours,
      replyHours: item.replyHours,
      validHours: item.billing === 'PERIOD' && item.periodDays !== null ? item.periodDays * HOURS_A_DAY : item.validHours,
      source: wish.source,
      chiefComplaint: wish.chiefComplaint ?? '',
      attachmentFileIds: [...(wish.attachmentFileIds ?? [])],
      serverStatus: '0',
      statusAt: ctx.now,
      slotAt: order.slotAt,
      durationMin: item.durationMin,
      roundLimit: item.billing === 'REPLIES' ? (item.quotaReplies ?? 0) : 0,
      videoSecLimit: item.serviceType === 'PHONE' || item.serviceType === 'VIDEO' ? (item.durationMin ?? 0) * SECONDS_A_MINUTE : 0,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return inquiryOf(row);
}
