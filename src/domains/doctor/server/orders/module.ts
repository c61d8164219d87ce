import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { refundHandlers } from '../refunds/actions.ts';
import { inquiryConsumers } from './consume.ts';
import { writeOrderDemo } from './demo.ts';
import { orderExport } from './exportOrders.ts';
import { orderHandlers } from './handlers.ts';
import { orderJobs } from './jobs.ts';
import { orderList } from './list.ts';
import { consultPayee } from './payee.ts';

/** Paid consultations: orders, payments, refunds. */
export const ordersModule: FeatureModule = {
  handlers: (kernel) => [...orderHandlers(kernel, orderList(kernel)), ...refundHandlers],
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
