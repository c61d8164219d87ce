import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { yuan } from '#kernel/contract/money.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { paymentRecords } from '../access.ts';
import { own } from '../database.ts';
import { openRefund } from './open.ts';

interface AfterSale {
  afterSaleId: string;
  orderId: string;
  orderNo: string;
  cause: string;
  cashAmount: number;
  /** Null: the one payment that paid the order. */
  paymentNo: string | null;
}

const REASONS: Readonly<Record<string, string>> = { CANCEL: '订单取消，自动退款' };

/** What order decided to give back in cash goes back from the payment that paid it, once. */
export async function refundAfterSale(kernel: Pick<Kernel, 'ports'>, ctx: Acting, sale: AfterSale): Promise<void> {
  if (sale.cashAmount === 0) return;
  const paid = own(ctx.tx).selectFrom('invoicePayment').select('id').where('sourceId', '=', sale.orderId).where('status', '=', 'SUCCESS');
  const found = await (sale.paymentNo ? paid.where('paymentNo', '=', sale.paymentNo) : paid.where('flag', 'is', null))
    .orderBy('id')
    .executeTakeFirst();
  if (!found) {
    await kernel.ports.notices.addAlert(
      ctx.tx,
      {
        businessKey: `invoice.afterSale.${sale.afterSaleId}`,
        title: '售后退款没有对应的收款单',
        body: `订单${sale.orderNo}应退${yuan(sale.cashAmount)}元，未找到已支付的收款单，请核实收款方式后处理`,
        link: '/invoice',
        permission: may['refund.make'].code,
      },
      ctx.now,
    );
    return;
  }
  const payment = await paymentRecords.lock(ctx.tx, paymentRecords.everyone, found.id);
  await openRefund(kernel, ctx, payment, {
    sourceType: 'AFTER_SALE',
    sourceId: sale.afterSaleId,
    amountFen: BigInt(sale.cashAmount),
    way: 'ORIGINAL',
    payee: null,
    reason: REASONS[sale.cause] ?? '售后退款',
    maker: null,
  });
}
