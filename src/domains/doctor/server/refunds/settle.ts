import type { RefundAnswer } from '#kernel/server/pay/port.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { known, stillOpen, addLateTodo } from '#kernel/server/money/inquiry.ts';
import { consultRefundMachine } from '../../contract/orderStates.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { ownTx } from '../database.ts';
import { lockOrder, REFUND_TARGET, writeOrder, type OrderRecord } from '../orders/access.ts';
import { lateRefund } from '../orders/late.ts';
import { completeOrder, moveOrder, refundedOrder, publishRefunded } from '../orders/move.ts';

/** Order first, then refund: everybody locks in this order. */
export async function lockRefund(ctx: Pick<Acting, 'tx'>, refundId: string) {
  const { orderId } = await ownTx(ctx.tx)
    .selectFrom('doctorConsultRefund')
    .select('orderId')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  const order = await lockOrder(ctx.tx, { id: orderId });
  const refund = await ownTx(ctx.tx)
    .selectFrom('doctorConsultRefund')
    .selectAll()
    .where('id', '=', refundId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { order, refund };
}

/** After a refund that is partial or came to nothing the order is again what it was; a completion that waited follows at once. */
export async function orderBack(ctx: Acting, order: OrderRecord, refundedFen: number, opinion?: string): Promise<OrderRecord> {
  const actions = { PAID: 'backToPaid', SERVING: 'backToServing', COMPLETED: 'backToCompleted' } as const;
  const back = await moveOrder(ctx, order, actions[order.stateBefore ?? 'PAID'], { stateBefore: null, refundedFen }, opinion);
  return back.completePending && back.state === 'SERVING' ? completeOrder(ctx, back) : back;
}

/** Brings in what the channel says of a refund. An answer to a refund that is settled already changes nothing. */
export async function settleRefund(kernel: Pick<Kernel, 'ports'>, ctx: Acting, refundId: string, answer: RefundAnswer): Promise<void> {
  const { order, refund } = await lockRefund(ctx, refundId);
  if (refund.state !== 'PENDING' && refund.state !== 'UNKNOWN') return;
  const target = { targetType: REFUND_TARGET, targetId: refundId, targetNo: refund.refundNo, from: refund.state } as const;
  const late = lateRefund(refund);
  const write = (change: object) =>
    ownTx(ctx.tx)
      .updateTable('doctorConsultRefund')
      .set((eb) => ({ ...change, askedAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', refundId)
      .execute();
  if (answer.state === 'UNKNOWN') {
    const open = stillOpen(refund.unknownSince, ctx.now);
    const state = refund.state === 'UNKNOWN' ? refund.state : await moveState(ctx, consultRefundMachine, { ...target, action: 'lose' });
    await write({ state, ...open });
    return addLateTodo(kernel, ctx.tx, open, late, ctx.now);
  }
  if (refund.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, late.businessKey, ctx.now);
  if (answer.state === 'FAILED') {
    const state = await moveState(ctx, consultRefundMachine, { ...target, action: 'fail', opinion: answer.failReason ?? undefined });
    await write({ state, failReason: answer.failReason, finishedAt: ctx.now, ...known });
    if (order.state === 'REFUNDING') await orderBack(ctx, order, order.refundedFen, '退款失败');
    await kernel.ports.notices.addAlert(
      ctx.tx,
      {
        businessKey: `doctor.consultRefund.failed.${refundId}`,
        title: '咨询退款失败',
        body: `退款单${refund.refundNo}（订单${order.orderNo}）：${answer.failReason ?? '渠道拒绝'}`,
        link: `/payConsultation?id=${order.id}`,
        permission: doctorPermissions['consult.edit'].code,
      },
      ctx.now,
    );
    return;
  }
  const state = await moveState(ctx, consultRefundMachine, { ...target, action: 'succeed' });
  await write({ state, channelRefundNo: answer.channelRefundNo, finishedAt: ctx.now, ...known });
  const refundFen = Number(refund.amountFen);
  const refundedFen = order.refundedFen + refundFen;
  // Money that came after the order was closed was never income, so nobody is told.
  if (order.state !== 'REFUNDING') return void (await writeOrder(ctx.tx, order, ctx.now, { refundedFen }));
  if (refundedFen === order.payFen) {
    const done = await refundedOrder(ctx, order, refundedFen);
    await publishRefunded(ctx, done, { refundNo: refund.refundNo, refundFen });
  } else {
    await publishRefunded(ctx, { ...order, refundedFen }, { refundNo: refund.refundNo, refundFen });
    await orderBack(ctx, order, refundedFen);
  }
}
