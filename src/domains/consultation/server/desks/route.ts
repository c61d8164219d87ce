import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { queryDeskDoctors, routeToDoctor } from '../../contract/calls/desks.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { userIdOf } from '../../contract/im/ids.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { ownTx } from '../database.ts';
import { deedOf } from '../deed.ts';
import { sayJob, tip } from '../groups/say.ts';
import { aliveSince, statusOf } from '../im/sockets/presence.ts';
import { createInquiry } from '../inquiries/create.ts';
import { inquiryOfGroup } from '../inquiries/facts.ts';
import { lockGroup } from '../inquiries/rows.ts';
import { doctorCardFacts, routableDoctors } from '../partners.ts';
import { meOf } from '../people/me.ts';
import { noteBoard } from '../queue/board.ts';
import { moveWork } from '../queue/owner.ts';
import { remindUnpaid } from './unpaid.ts';

/** 转给医生: paid ones by a card with the link, free ones at once; then the desk's work is done. */
const route = (kernel: Kernel): Handler =>
  command(routeToDoctor, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const me = await meOf(ctx.tx, asked);
    const { group } = await lockGroup(ctx.tx, input.groupId);
    if (group.kind !== 'DESK' || (group.ownerAssistantId !== me.assistantId && !me.supervisor)) throw refuse(platformErrors.NOT_FOUND);
    const before = await inquiryOfGroup(ctx.tx, group.groupId);
    const { inquiry, payUrl } = await createInquiry(ctx, {
      suffererOperatorId: group.suffererOperatorId,
      patientId: group.patientId,
      openingId: input.openingId,
      slotAt: input.slotAt,
      source: 'DESK',
      chiefComplaint: input.chiefComplaint ?? before?.chiefComplaint ?? '',
      attachmentFileIds: [],
    });
    const card = await doctorCardFacts(ctx, input.openingId);
    await ctx.enqueue(sayJob, {
      groupId: group.groupId,
      clientMsgId: `route:${inquiry.id}`,
      type: messageTypes.CUSTOM,
      sourceRef: `inquiry:${inquiry.id}`,
      payload: cardPayload(
        { businessID: 'doctor_card', v: 1, ...card, openingId: input.openingId, feeFen: Number(inquiry.feeFen), payUrl },
        `[医生名片] ${card.doctorName}`,
      ),
    });
    if (inquiry.groupId === null) await remindUnpaid(ctx, group.groupId, inquiry);
    await noteBoard(ctx, group, 'ROUTED', { from: me.assistantId, ...(input.remark && { reason: input.remark }) });
    if (inquiry.groupId !== null) {
      // It cost nothing: the doctor's group is open, and what the desk had to do is done.
      await ctx.enqueue(sayJob, tip(group.groupId, `routed:${inquiry.id}`, `已为您转接${inquiry.doctorName}医生`));
      const rested = await moveWork(ctx, group, 'done', { waitingSince: null, slaDueAt: null, unanswered: 0 });
      await ownTx(ctx.tx)
        .updateTable('consultationMedicalGroup')
        .set({ routedGroupId: inquiry.groupId })
        .where('groupId', '=', rested.groupId)
        .execute();
    }
    ctx.target({ type: 'consultation.inquiry', id: inquiry.id, no: inquiry.inquiryNo });
    return { serverId: inquiry.id, groupId: inquiry.groupId, payUrl };
  });

const doctors = (kernel: Kernel): Handler =>
  query(queryDeskDoctors, async (wish, ctx) => {
    await meOf(ctx.db, ctx);
    const found = await routableDoctors(ctx.db, wish);
    const online = new Set(
      (
        await statusOf(
          ctx.db,
          found.map(({ operatorId }) => userIdOf('DOCTOR', operatorId)),
          aliveSince(kernel),
        )
      )
        .filter(({ statusType }) => statusType === 'ONLINE')
        .map(({ userID }) => userID),
    );
    return found.map((one) => ({ ...one, online: online.has(userIdOf('DOCTOR', one.operatorId)) }));
  });

export const routeHandlers = (kernel: Kernel): readonly Handler[] => [route(kernel), doctors(kernel)];
