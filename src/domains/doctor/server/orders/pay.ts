import { hours, plusMs } from '#kernel/contract/time.ts';
import type { PayChannelCode, PayNotice } from '#kernel/server/pay/port.ts';
import { yuan } from '#kernel/contract/money.ts';
import { known } from '#kernel/server/money/inquiry.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { type Acting, asSystem } from '#kernel/server/command/acting.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { attributePatient, onPatientAttributed, liveAttributionOf } from '../attribution/attribute.ts';
import { chooseAssistant } from '../assistants/choose.ts';
import { ownTx } from '../database.ts';
import { openRefund } from '../refunds/open.ts';
import { findOrder, writeOrder, type OrderRecord, channelOf, noteOrder } from './access.ts';
import { latePayment } from './late.ts';
import { moveOrder, publishPaid } from './move.ts';
import type { Payee } from '#kernel/server/pay/desk.ts';

type PayKernel = Pick<Kernel, 'ports' | 'secrets'>;
type Outcome = 'PAID' | 'LATE' | 'TWICE' | 'AMOUNT' | 'REPEATED' | 'UNKNOWN_ORDER';

/** The order is paid: attribution is frozen, an assistant chosen, the doctor's hours begin to run. */
export async function settlePayment(
  kernel: PayKernel,
  ctx: Acting,
  order: OrderRecord,
  payment: { payChannel: OrderRecord['payChannel']; channelTradeNo: string | null; paidAt: string },
): Promise<OrderRecord> {
  const [live] = await liveAttributionOf(ctx.tx, 'PATIENT', [order.patientId]);
  const attribution =
    live ??
    (await attributePatient(kernel, ctx, {
      patientId: order.patientId,
      name: order.patientNameMasked,
      mobileMasked: order.patientMobileMasked,
    }));
  const { assistantId, overload } = await chooseAssistant(ctx, { doctorId: order.doctorId, at: ctx.now, orderId: order.id });
  const paid = await moveOrder(ctx, order, 'pay', {
    ...payment,
    payResult: 'PAID',
    ...known,
    acceptDueAt: plusMs(payment.paidAt, hours(order.itemSnapshot.acceptHours)),
    assistantId,
    overload,
    channelId: attribution.channelId,
    sceneCodeId: attribution.sceneCodeId,
    agentId: attribution.agentId,
    attributionId: attribution.id,
  });
  await onPatientAttributed(ctx, { doctorId: paid.doctorId, patientId: paid.patientId, source: 'SEARCH', orders: 1 });
  if (order.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, latePayment(order).businessKey, ctx.now);
  if (assistantId === null) {
    await kernel.ports.notices.addTodo(
      ctx.tx,
      {
        businessKey: `doctor.consultOrder.assistant.${paid.id}`,
        title: '付费咨询没有可分配的医助',
        body: `订单${paid.orderNo}的医生未绑定医助，请绑定后跟进`,
        link: `/payConsultation?id=${paid.id}`,
        permission: doctorPermissions['assistant.bind'].code,
      },
      ctx.now,
    );
  }
  await publishPaid(ctx, paid);
  return paid;
}

const alertText: Partial<Record<Outcome, string>> = {
  AMOUNT: '支付金额与应付金额不一致，未计入',
  TWICE: '同一订单收到另一笔支付，请联系支付渠道退回',
  UNKNOWN_ORDER: '收到未知订单的支付',
};

async function judge(
  kernel: PayKernel,
  ctx: Acting,
  order: OrderRecord | null,
  code: PayChannelCode,
  notice: PayNotice,
): Promise<{ outcome: Outcome; order: OrderRecord | null }> {
  if (!order) return { outcome: 'UNKNOWN_ORDER', order };
  if (order.channelTradeNo === notice.channelTradeNo && order.payChannel === code) return { outcome: 'REPEATED', order };
  if (order.state !== 'WAIT_PAY' && order.state !== 'CLOSED')
    return { outcome: 'TWICE', order: await writeOrder(ctx.tx, order, ctx.now, { payFlag: 'TWICE' }) };
  if (notice.amountFen !== order.payFen) {
    const flagged =
      order.state === 'WAIT_PAY'
        ? await moveOrder(ctx, order, 'payDiffers', { payFlag: 'AMOUNT' }, `到账${yuan(notice.amountFen)}元，应付${yuan(order.payFen)}元`)
        : await writeOrder(ctx.tx, order, ctx.now, { payFlag: 'AMOUNT' });
    return { outcome: 'AMOUNT', order: flagged };
  }
  const payment = { payChannel: code, channelTradeNo: notice.channelTradeNo, paidAt: notice.paidAt };
  if (order.state === 'WAIT_PAY') return { outcome: 'PAID', order: await settlePayment(kernel, ctx, order, payment) };
  // The order was closed before the money came: it goes back as a whole.
  const late = await moveOrder(ctx, order, 'lateRefund', { ...payment, payResult: 'PAID', payFlag: 'LATE' });
  const calc = {
    rule: 'LATE' as const,
    payFen: late.payFen,
    refundedFen: 0,
    total: null,
    used: null,
    proposedFen: late.payFen,
    limitFen: late.payFen,
  };
  await openRefund(ctx, late, { amountFen: late.payFen, calc, reason: 'PATIENT', opinion: '关单后到账，自动退款' });
  return { outcome: 'LATE', order: late };
}

/**
 * Takes in what a pay channel says was paid, as often as it says so: the order's row is locked, and a trade counts once.
 * A wrong amount is flagged and not counted.
 */
export async function takePayment(
  kernel: PayKernel,
  ctx: Acting,
  code: PayChannelCode,
  notice: PayNotice,
  source: 'NOTICE' | 'QUERY' | 'INTRANET',
): Promise<{ outcome: Outcome; order: OrderRecord | null }> {
  const judged = await judge(kernel, ctx, await findOrder(ctx.tx, { orderNo: notice.tradeNo }), code, notice);
  const { outcome, order } = judged;
  if (outcome === 'REPEATED') return judged;
  const fresh = await ownTx(ctx.tx)
    .insertInto('doctorPayNotice')
    .values({
      payChannel: code,
      channelTradeNo: notice.channelTradeNo,
      orderNo: notice.tradeNo,
      orderId: order?.id ?? null,
      amountFen: String(notice.amountFen),
      paidAt: notice.paidAt,
      source,
      outcome,
      at: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['payChannel', 'channelTradeNo', 'outcome']).doNothing())
    .returning('id')
    .executeTakeFirst();
  const title = alertText[outcome];
  if (fresh && title) {
    await kernel.ports.notices.addAlert(
      ctx.tx,
      {
        businessKey: `doctor.pay.${code}.${notice.channelTradeNo}`,
        title,
        body: `订单${notice.tradeNo}，渠道交易号${notice.channelTradeNo}，到账${yuan(notice.amountFen)}元`,
        link: order ? `/payConsultation?id=${order.id}` : '/payConsultation',
        permission: doctorPermissions['consult.edit'].code,
      },
      ctx.now,
    );
  }
  return judged;
}

/** Payments of consultations: what the payer finds behind his link, and what a channel's notice does. */
export const consultPayee = (kernel: Kernel): Payee => {
  const acting = (writing: Parameters<Parameters<Kernel['transactions']['run']>[1]>[0]) =>
    asSystem(writing, { now: kernel.clock.now(), traceId: 'pay' });
  return {
    prefix: 'ZX',
    open: (orderNo) =>
      kernel.transactions.run('pay', async (writing) => {
        const ctx = acting(writing);
        const order = await findOrder(ctx.tx, { orderNo });
        if (!order) return null;
        const subject = `${order.itemSnapshot.itemName}（订单${order.orderNo}）`;
        if (order.state !== 'WAIT_PAY') return { state: order.state === 'CLOSED' ? 'OVER' : 'PAID', subject };
        if (order.expireAt <= ctx.now) return { state: 'OVER', subject };
        // From here on only the channel knows whether somebody pays.
        if (order.payOpenedAt === null) await noteOrder(ctx.tx, order.id, { payOpenedAt: ctx.now, payResult: 'WAITING', ...known });
        return {
          state: 'OPEN',
          channel: channelOf(order),
          order: { tradeNo: order.orderNo, amountFen: order.payFen, subject, expireAt: order.expireAt },
        };
      }),
    paid: async (code, notice) =>
      void (await kernel.transactions.run('pay', (writing) => takePayment(kernel, acting(writing), code, notice, 'NOTICE'))),
  };
};
