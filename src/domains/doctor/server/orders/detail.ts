import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { getAgents } from '#domains/pharma/server/index.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import type { ConsultRefundRow } from '../../contract/calls/consultOrders.ts';
import { consultOrderMachine, consultRefundMachine } from '../../contract/orderStates.ts';
import { own } from '../database.ts';
import { orderRecords, ORDER_TARGET } from './access.ts';
import { orderById, type OrderList } from './list.ts';

/** Nobody is offered a decision about what he applied for or found out; what nobody found out is not decided about. */
function isOffered(
  action: string,
  { makerId, foundOutcome, foundBy }: { makerId: string | null; foundOutcome: string | null; foundBy: string | null },
  userId: string,
): boolean {
  if (action === 'approve' || action === 'reject') return makerId !== userId;
  if (action === 'confirm' || action === 'dismiss') return foundOutcome !== null && foundBy !== userId;
  return true;
}

async function refundsOf(ctx: QueryContext, orderId: string): Promise<ConsultRefundRow[]> {
  const rows = await own(ctx.db)
    .selectFrom('doctorConsultRefund')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id', 'desc')
    .execute();
  const users = new Map(
    (
      await userBrief(
        ctx.db,
        rows.flatMap(({ makerId, checkerId, foundBy }) => [makerId, checkerId, foundBy]).filter((id) => id !== null),
      )
    ).map((user) => [user.userId, user.displayName]),
  );
  const nameOf = (id: string | null) => (id === null ? null : (users.get(id) ?? null));
  return rows.map((row) => {
    const state = row.state;
    return {
      id: row.id,
      refundNo: row.refundNo,
      amountFen: row.amountFen,
      calc: row.calc as ConsultRefundRow['calc'],
      reason: row.reason,
      opinion: row.opinion,
      patientNote: row.patientNote,
      makerName: row.makerId === null ? '系统' : nameOf(row.makerId),
      checkerName: nameOf(row.checkerId),
      checkOpinion: row.checkOpinion,
      state,
      channelRefundNo: row.channelRefundNo,
      failReason: row.failReason,
      found:
        row.foundOutcome === null
          ? null
          : {
              outcome: row.foundOutcome,
              refundNo: row.foundRefundNo,
              note: row.foundNote ?? '',
              fileId: row.foundFileId,
              byName: nameOf(row.foundBy),
              at: row.foundAt ?? row.updatedAt,
            },
      createdAt: row.createdAt,
      finishedAt: row.finishedAt,
      version: row.version,
      allowedActions: consultRefundMachine.allowed(state, ctx.has).filter((action) => isOffered(action, row, ctx.staff.userId)),
    };
  });
}

export async function orderDetail(list: OrderList, ctx: QueryContext, id: string) {
  const record = await orderRecords.get(ctx.db, ctx.staff, id);
  const order = await orderById(list, ctx, id);
  if (!order) throw refuse(platformErrors.NOT_FOUND);
  const { itemCode, itemName, careKind, billing, acceptHours, replyHours, validHours, quotaReplies, periodDays, durationMin } =
    record.itemSnapshot;
  const notices = await own(ctx.db)
    .selectFrom('doctorPayNotice')
    .select(['channelTradeNo', 'payChannel', 'amountFen', 'paidAt', 'outcome', 'source', 'at'])
    .where('orderId', '=', id)
    .orderBy('id')
    .execute();
  const agent = record.agentId === null ? undefined : (await getAgents(ctx.db, [record.agentId]))[0];
  return {
    order,
    item: { itemCode, itemName, careKind, billing, acceptHours, replyHours, validHours, quotaReplies, periodDays, durationMin },
    usedReplies: record.usedReplies,
    acceptedAt: record.acceptedAt,
    endedAt: record.endedAt,
    completedAt: record.completedAt,
    channelTradeNo: record.channelTradeNo,
    inquiryId: record.inquiryId,
    agentName: agent?.name ?? null,
    sceneCodeId: record.sceneCodeId,
    overload: record.overload,
    refunds: await refundsOf(ctx, id),
    notices: notices.map((notice) => ({ ...notice, payChannel: notice.payChannel })),
    trail: await trailOf(ctx.db, ORDER_TARGET, id),
    allowedActions: consultOrderMachine.allowed(record.state, ctx.has),
  };
}
