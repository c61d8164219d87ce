import type { PayloadOf } from '#kernel/contract/event.ts';
import { inquiryOpened } from '#events/consultation.ts';
import type { consultOrderPaid } from '#events/doctor.ts';
import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';
import { openGroup } from '../groups/open.ts';
import { sayJob, tip } from '../groups/say.ts';
import { advanceConsultOrder, doctorFacts, patientAccountOf } from '../partners.ts';
import { routedJob } from '../desks/routed.ts';
import { assign } from '../queue/assign.ts';
import { noteBoard } from '../queue/board.ts';
import { moveWork } from '../queue/owner.ts';
import { acceptDueAt } from '../rules/deadlines.ts';
import { moveInquiry, statusOf } from './move.ts';
import { inquiryOf, lockGroup, type GroupRow, type InquiryRow } from './rows.ts';
import { acceptance } from './serve.ts';
import { writeInquiry, type SoldOrder } from './write.ts';

type Paid = PayloadOf<typeof consultOrderPaid>;

const bySource = { PATIENT: 'ORDER', DESK: 'DESK', STAFF: 'STAFF' } as const;

/** The inquiry of an order, locked; an order that a client made without one gets it here. */
async function inquiryFor(ctx: Deed, order: SoldOrder): Promise<InquiryRow> {
  const row = await ownTx(ctx.tx)
    .selectFrom('consultationInquiry')
    .selectAll()
    .where('orderId', '=', order.orderId)
    .forUpdate()
    .executeTakeFirst();
  if (row) return inquiryOf(row);
  const [doctor, patient] = [await doctorFacts(ctx.tx, order.doctorId), await patientAccountOf(ctx.tx, order.patientId)];
  if (!doctor || !patient) throw new Error(`the paid order ${order.orderNo} names a doctor or patient without an account`);
  return writeInquiry(
    ctx,
    order,
    { doctorOperatorId: doctor.operatorId, doctorName: doctor.name, suffererOperatorId: patient.operatorId, patientName: patient.name },
    { source: 'PATIENT' },
  );
}

/** A group at rest wakes for its new inquiry. */
async function wake(ctx: Deed, group: GroupRow): Promise<GroupRow> {
  if (group.workState !== 'DONE') return group;
  await noteBoard(ctx, group, 'QUEUED');
  return moveWork(ctx, group, 'wakeToQueue', {});
}

/** The desk that led the patient here has done its part. */
async function finishDesk(ctx: Deed, inquiry: InquiryRow): Promise<void> {
  const desk = await ownTx(ctx.tx)
    .selectFrom('consultationMedicalGroup')
    .select('groupId')
    .where('kind', '=', 'DESK')
    .where('suffererOperatorId', '=', inquiry.suffererOperatorId)
    .where('workState', 'in', ['SERVING', 'SNOOZED'])
    .where('routedGroupId', 'is', null)
    .orderBy('lastMessageAt', 'desc')
    .executeTakeFirst();
  if (!desk) return;
  await ctx.enqueue(routedJob, {
    deskGroupId: desk.groupId,
    groupId: inquiry.groupId ?? '',
    inquiryId: inquiry.id,
    doctorName: inquiry.doctorName,
  });
}

/**
 * Payment arrived: the group is opened or taken up again, somebody answers for it, and the doctor has until `acceptDueAt`. A repeat does
 * nothing.
 */
export async function openInquiry(ctx: Deed, order: Paid): Promise<InquiryRow> {
  const inquiry = await inquiryFor(ctx, order);
  if (inquiry.serverStatus !== '0') return inquiry;
  const doctor = (await doctorFacts(ctx.tx, inquiry.doctorId)) ?? {
    doctorId: inquiry.doctorId,
    operatorId: inquiry.doctorOperatorId,
    name: inquiry.doctorName,
    avatarFileId: null,
  };
  const group = await openGroup(ctx, {
    doctor,
    patient: { patientId: inquiry.patientId, operatorId: inquiry.suffererOperatorId, name: inquiry.patientName },
    source: bySource[inquiry.source],
  });
  const { lastSeq } = await lockGroup(ctx.tx, group.groupId);
  const woken = await wake(ctx, group);
  const served = woken.workState === 'QUEUED' ? await assign(ctx, woken, order.assistantId) : woken;
  const followUp = inquiry.serviceType === 'FOLLOW_UP';
  const after = await moveInquiry(ctx, { inquiry, place: { group: served, lastSeq } }, followUp ? 'openFollowUp' : 'open', {
    groupId: group.groupId,
    paidAt: order.at,
    acceptDueAt: acceptDueAt(order.at, inquiry),
    ...(followUp && acceptance(inquiry, ctx.now, lastSeq)),
  });
  await ctx.publish(inquiryOpened, after.id, {
    ...statusOf(after, served.ownerAssistantId, '0', null, ctx.now),
    serviceType: after.serviceType,
  });
  await ctx.enqueue(
    sayJob,
    tip(group.groupId, `opened:${after.id}`, `${after.patientName}购买了${after.doctorName}医生的“${after.itemName}”`),
  );
  if (after.source === 'DESK') await finishDesk(ctx, after);
  if (followUp) await advanceConsultOrder(ctx, { orderId: after.orderId, step: 'ACCEPT', usedReplies: 0 });
  return after;
}
