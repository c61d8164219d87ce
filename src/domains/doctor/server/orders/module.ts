import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { refundHandlers } from '../refunds/actions.ts';
import { registerRefundProofs, resultHandlers } from '../refunds/result.ts';
import { inquiryConsumers } from './consume.ts';
import { writeOrderDemo } from './demo/writeOrders.ts';
import { orderExport, orderList, sumOrders, type OrderList } from './list.ts';
import { orderJobs } from './jobs.ts';
import { takeNotice } from './notice.ts';
import { consultPayee } from './pay.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { limitRate } from '#kernel/server/command/rateLimit.ts';
import { command, procedure, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import {
  advanceConsultOrder as advanceCall,
  cancelPayConsultation,
  createConsultOrder as createCall,
  notifyConsultPay,
  queryPayConsultationDetail,
  queryPayConsultationSum,
  revealPayConsultation,
  syncPayConsultation,
} from '../../contract/calls/consultOrders.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { orderRecords, lockOrder, ORDER_TARGET } from './access.ts';
import { advanceConsultOrder } from './advance.ts';
import { machineViewer } from '#kernel/server/auth/viewer.ts';
import { requireSeenOpening } from '../openings/seen.ts';
import { askPayment, closeUnpaid } from './ask.ts';
import { createConsultOrder, createdAnswer } from './create.ts';
import { orderDetail } from './detail.ts';

const SYNC_SECONDS = 10;

const orderHandlers = (kernel: Kernel, list: OrderList): readonly Handler[] => [
  list.handler,
  query(queryPayConsultationSum, (filter, ctx) => sumOrders(list, ctx, filter)),
  query(queryPayConsultationDetail, ({ id }, ctx) => orderDetail(list, ctx, id)),

  procedure(cancelPayConsultation, async ({ id, version, opinion }, ctx) => {
    const seen = await orderRecords.get(ctx.db, ctx.staff, id);
    await ctx.transaction((writing) =>
      requireVersion(writing, ORDER_TARGET, { id, version: seen.version }, version, () => ({
        state: seen.state,
      })),
    );
    if (seen.state !== 'WAIT_PAY') throw refuse(platformErrors.WRONG_STATE, { state: consultOrderMachine.states[seen.state].label });
    const closed = await closeUnpaid(kernel, ctx, id, { action: 'cancel', reason: 'STAFF', opinion });
    if (!closed)
      throw refuse(platformErrors.WRONG_STATE, {
        state: consultOrderMachine.states[(await orderRecords.get(ctx.db, ctx.staff, id)).state].label,
      });
    return actionAnswer(ctx, consultOrderMachine, closed);
  }),
  procedure(syncPayConsultation, async ({ id }, ctx) => {
    await orderRecords.get(ctx.db, ctx.staff, id);
    await limitRate(kernel.db, `doctor.syncPay.${id}`, { max: 1, seconds: SYNC_SECONDS }, ctx.now);
    const payResult = await askPayment(kernel, ctx, id);
    const order = await orderRecords.get(ctx.db, ctx.staff, id);
    ctx.target({ type: ORDER_TARGET, id, no: order.orderNo });
    if (payResult === 'UNKNOWN') throw refuse(doctorErrors.PAY_UNKNOWN);
    return { ...actionAnswer(ctx, consultOrderMachine, order), payResult };
  }),
  command(revealPayConsultation, async ({ id, field }, ctx) => {
    const order = await lockOrder(ctx.tx, { id }, ctx.staff);
    ctx.target({ type: ORDER_TARGET, id, no: order.orderNo });
    const cipher = field === 'patientName' ? order.patientNameCipher : order.patientMobileCipher;
    return { value: cipher === null ? null : kernel.secrets.decrypt(cipher) };
  }),

  command(createCall, async (input, ctx) => {
    await requireSeenOpening(ctx.tx, machineViewer(ctx), input.openingId);
    return createdAnswer(kernel, await createConsultOrder(kernel, ctx, input));
  }),
  command(advanceCall, async (input, ctx) => {
    await lockOrder(ctx.tx, { id: input.orderId }, machineViewer(ctx));
    const { order, refundFen, repeated } = await advanceConsultOrder(ctx, input);
    return { orderId: order.id, state: order.state, refundFen, repeated };
  }),
  procedure(notifyConsultPay, async (notice, ctx) => {
    const { outcome, order } = await takeNotice(kernel, ctx, notice);
    return { orderId: order.id, state: order.state, outcome };
  }),
];

/** Paid consultations: orders, payments, refunds. */
export const ordersModule: FeatureModule = {
  handlers: (kernel) => {
    registerRefundProofs();
    return [...orderHandlers(kernel, orderList(kernel)), ...refundHandlers, ...resultHandlers(kernel)];
  },
  jobs: orderJobs,
  consumers: inquiryConsumers,
  payees: (kernel) => [consultPayee(kernel)],
  exports: (kernel) => [orderExport(kernel, orderList(kernel))],
  demo: writeOrderDemo,
  invariants: [
    [
      '付费咨询金额不平',
      `select count(*)::int as n from doctor_consult_order o where o.pay_fen <> o.price_fen - o.discount_fen or o.refunded_fen > o.pay_fen
      or o.refunded_fen <> coalesce((
        select sum(r.amount_fen) from doctor_consult_refund r where r.order_id = o.id and r.state = 'SUCCESS'
      ), 0)`,
    ],
    [
      '预约占用与订单不符',
      `
        select count(*)::int as n
          from doctor_opening_slot s
          where s.taken <> (
            select count(*) from doctor_consult_order o where o.opening_id = s.opening_id and o.slot_at = s.slot_at and o.slot_held
          )`,
    ],
    [
      '预约占用状态不符',
      `
        select count(*)::int as n
          from doctor_consult_order o
          where o.slot_held <> (
            o.slot_at is not null
            and (o.state in ('WAIT_PAY', 'PAID', 'SERVING') or (o.state = 'REFUNDING' and o.state_before <> 'COMPLETED'))
          )`,
    ],
  ],
};
