import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { dayOf, days, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { digitsOf } from '#kernel/server/outside/simulation.ts';
import { attach } from '#domains/files/server/index.ts';
import { REFUND_VOUCHER } from '../../contract/purposes.ts';
import { channelKey, goesByItself } from '../../contract/rules/refund.ts';
import { paymentRecords, refundRecords, type BatchRecord, type RefundRecord } from '../access.ts';
import { makeBatch, release, startBatch } from '../batches/handlers.ts';
import { moveBatch } from '../batches/outcome.ts';
import { own } from '../database.ts';
import { insertPayment } from '../payments/create.ts';
import { movePayment } from '../payments/move.ts';
import { takePayment } from '../payments/take.ts';
import { lockRefund, moveRefund, reserve } from '../refunds/move.ts';
import { refundAfterSale } from '../refunds/afterSale.ts';
import { openRefund } from '../refunds/open.ts';
import { beginSending } from '../refunds/send.ts';
import { settleRefund, succeed } from '../refunds/settle.ts';
import { setStage, type Stage } from './stage.ts';

type Channel = 'WECHAT' | 'ALIPAY';
const REASONS = ['协商退差价', '药品缺货部分退款', '运费退回', '医保结算后退差额'] as const;

/** What order's demonstration says that it was paid by. */
interface PaidOrder {
  orderId: string;
  orderNo: string;
  title: string;
  paymentNo: string;
  channel: Channel;
  payFen: number;
  paidAt: Instant;
}
const paidOrders = async (tx: Tx): Promise<PaidOrder[]> =>
  (
    await sql<PaidOrder>`
      select o.id::text as order_id, o.order_no, p.payment_no, p.channel, p.amount_fen::int as pay_fen, p.paid_at,
          (select l.goods_name from order_line l where l.order_id = o.id order by l.id limit 1) || '（订单' || o.order_no || '）' as title
        from order_payment p
        join order_order o on o.id = p.order_id
        where p.answer = 'ACCEPTED' and p.channel in ('WECHAT', 'ALIPAY')
        order by p.paid_at, p.payment_no`.execute(tx)
  ).rows;

/** Paid over its page. @returns the payment's id */
async function pay(stage: Stage, order: PaidOrder, channel: Channel, paymentNo: string, at: Instant): Promise<string> {
  const ctx = stage.at(at);
  const made = await insertPayment(ctx, { ...order, payDeadline: plusMs(at, minutes(20)) }, channel, paymentNo);
  if (!made) throw new Error(`another payment of order ${order.orderNo} is open`);
  await movePayment(ctx, made, 'open');
  const channelTradeNo = `4${digitsOf(`demo/${paymentNo}`, 28)}`;
  await sql`
    insert into kernel_pay_simulation (channel, trade_no, amount_fen, subject, state, channel_trade_no, paid_at, created_at)
      values (${channel}, ${paymentNo}, ${order.payFen}, ${order.title}, 'PAID', ${channelTradeNo}, ${at}, ${at})`.execute(ctx.tx);
  await takePayment(stage.kernel, ctx, paymentNo, { channel, channelTradeNo, amountFen: order.payFen, paidAt: at });
  return made.id;
}

/** Somebody asks for a part of a payment. */
async function ask(stage: Stage, paymentId: string, daysAgo: number, way: RefundRecord['way'] = 'ORIGINAL'): Promise<RefundRecord> {
  const ctx = stage.ago(daysAgo, 'fin_a');
  const payment = await paymentRecords.lock(ctx.tx, paymentRecords.everyone, paymentId);
  const account = `6225881${digitsOf(`demo/${paymentId}`, 9)}`;
  return openRefund(stage.kernel, ctx, payment, {
    sourceType: 'MANUAL',
    sourceId: payment.sourceId,
    amountFen: (BigInt(payment.receivedFen ?? 0) * 3n) / 10n,
    way,
    payee:
      way === 'ORIGINAL'
        ? null
        : {
            payeeName: '张建国',
            payeeBank: '招商银行上海张江支行',
            payeeAccountCipher: stage.kernel.secrets.encrypt(account),
            payeeAccountMasked: mask('bankCard', account),
          },
    reason: REASONS[Number(paymentId) % REASONS.length]!,
    maker: stage.staff.fin_a,
  });
}
const pass = async (stage: Stage, paymentId: string, daysAgo: number, way?: RefundRecord['way']): Promise<RefundRecord> =>
  passed(stage, await ask(stage, paymentId, daysAgo, way), daysAgo);
async function passed(stage: Stage, refund: RefundRecord, daysAgo: number): Promise<RefundRecord> {
  const { userId, displayName } = stage.staff.fin_r;
  const checker = { checkerId: userId, checkerName: displayName };
  return moveRefund(stage.ago(daysAgo, 'fin_r'), refund, 'approve', checker, '已核对订单与收款记录');
}
async function reject(stage: Stage, paymentId: string, daysAgo: number): Promise<void> {
  const refund = await ask(stage, paymentId, daysAgo);
  const ctx = stage.ago(daysAgo, 'fin_r');
  const { payment } = await lockRefund(ctx.tx, refund.id);
  const { userId, displayName } = stage.staff.fin_r;
  const opinion = '退款原因与订单不符，请核实后重新提交';
  await moveRefund(ctx, refund, 'reject', { checkerId: userId, checkerName: displayName, opinion }, opinion);
  await reserve(ctx, payment, -BigInt(refund.amountFen));
}

const draft = (stage: Stage, refunds: readonly RefundRecord[], daysAgo: number): Promise<BatchRecord> =>
  makeBatch(stage.ago(daysAgo, 'fin_a'), refunds, stage.staff.fin_a);
async function approved(stage: Stage, refunds: readonly RefundRecord[], daysAgo: number): Promise<BatchRecord> {
  const batch = await draft(stage, refunds, daysAgo);
  const { userId, displayName } = stage.staff.fin_r;
  return moveBatch(stage.ago(daysAgo, 'fin_r'), batch, 'approve', { approverId: userId, approverName: displayName }, '笔数与金额一致');
}
async function voided(stage: Stage, refunds: readonly RefundRecord[], daysAgo: number): Promise<void> {
  const batch = await draft(stage, refunds, daysAgo);
  const ctx = stage.ago(daysAgo, 'fin_a');
  await moveBatch(ctx, batch, 'void', { opinion: '退款金额有误，重新组批' }, '退款金额有误，重新组批');
  await release(ctx, batch.id);
}
const started = async (stage: Stage, refunds: readonly RefundRecord[], daysAgo: number): Promise<BatchRecord> =>
  startBatch(stage.ago(daysAgo, 'cashier'), await approved(stage, refunds, daysAgo), stage.staff.cashier);

/** The channel answers a refund that was sent. */
async function answer(stage: Stage, { id }: RefundRecord, daysAgo: number, failReason: string | null = null): Promise<void> {
  const ctx = stage.ago(daysAgo);
  const sent = await beginSending(ctx, id);
  if (!sent) throw new Error(`refund ${id} is not to be sent`);
  const channelRefundNo = `5${digitsOf(`demo/${sent.key}`, 28)}`;
  const state = failReason === null ? ('SUCCESS' as const) : ('FAILED' as const);
  await sql`
    insert into kernel_pay_simulated_refund (channel, refund_no, trade_no, amount_fen, state, channel_refund_no, created_at)
      values (${sent.channel}, ${sent.key}, ${sent.tradeNo}, ${sent.amountFen}, ${state}, ${channelRefundNo}, ${ctx.now})`.execute(ctx.tx);
  await settleRefund(stage.kernel, ctx, { refundId: id, attempt: sent.attempt }, { state, channelRefundNo, failReason });
}

/** Whoever executes enters a transfer with its paper. */
async function transfer(stage: Stage, { id }: RefundRecord, daysAgo: number): Promise<void> {
  const ctx = stage.ago(daysAgo, 'cashier');
  const { refund } = await lockRefund(ctx.tx, id);
  const { userId, displayName } = stage.staff.cashier;
  const title = `转账凭证 ${refund.refundNo}`;
  const body = renderPdf({ title, watermark: '演示资料 仅供体验', footer: '演示资料', blocks: [{ kind: 'title', text: title }] });
  const file = { purpose: REFUND_VOUCHER, name: '转账凭证.pdf', body, contentType: 'application/pdf', createdBy: userId };
  const { fileId } = await stage.kernel.ports.files.store(ctx.tx, file, ctx.now);
  const owner = { purpose: REFUND_VOUCHER, ownerType: refundRecords.type, ownerId: id, field: 'voucher', userId };
  await attach(ctx.tx, { fileIds: [fileId], ...owner }, ctx.now);
  await moveRefund(ctx, refund, 'register', {
    paidOn: dayOf(ctx.now),
    bankSerialNo: `HK${channelKey(refund.refundNo, 1).slice(2)}`,
    voucherFileId: fileId,
    voucherBy: userId,
    voucherByName: displayName,
  });
}
async function checkTransfer(stage: Stage, { id }: RefundRecord, daysAgo: number): Promise<void> {
  const ctx = stage.ago(daysAgo, 'fin_r');
  const locked = await lockRefund(ctx.tx, id);
  const { userId, displayName } = stage.staff.fin_r;
  const checker = { voucherCheckerId: userId, voucherCheckerName: displayName, channelRefundNo: locked.refund.bankSerialNo };
  await succeed(stage.kernel, ctx, locked, 'confirm', checker, '凭证与流水一致');
}

/** Paid a second time by the other channel; what came second goes back by itself. */
async function payTwice(stage: Stage, order: PaidOrder): Promise<void> {
  const at = plusMs(order.paidAt, minutes(2));
  const paymentNo = await nextNumber(stage.tx, 'PY', dayOf(at));
  const id = await pay(stage, order, order.channel === 'WECHAT' ? 'ALIPAY' : 'WECHAT', paymentNo, at);
  const refunds = await own(stage.tx).selectFrom('invoiceRefund').selectAll().where('paymentId', '=', id).execute();
  for (const refund of refunds) if (refund.status === 'APPROVED') await answer(stage, refund, daysSince(stage, at));
}
const daysSince = (stage: Stage, at: Instant): number => (Date.parse(stage.now) - Date.parse(at)) / days(1);

/** Returns of which order's demonstration says that their cash is back. */
async function payBack(stage: Stage): Promise<void> {
  const { rows } = await sql<{ afterSaleId: string; orderId: string; orderNo: string; cause: string; cashAmount: number; doneAt: Instant }>`
    select a.id::text as after_sale_id, o.id::text as order_id, o.order_no, a.cause, a.done_at, sum(r.amount_fen)::int as cash_amount
      from order_after_sale a
      join order_order o on o.id = a.order_id
      join order_after_sale_line l on l.after_sale_id = a.id
      join order_refund_part r on r.after_sale_line_id = l.id
      join order_funding f on f.id = r.funding_id and f.kind = 'CASH'
      where a.state = 'REFUNDED' and a.done_at is not null
      group by a.id, o.id
      order by a.id`.execute(stage.tx);
  for (const { doneAt, ...sale } of rows) {
    const ago = daysSince(stage, doneAt);
    await refundAfterSale(stage.kernel, stage.ago(ago), { ...sale, paymentNo: null });
    const refund = await own(stage.tx)
      .selectFrom('invoiceRefund')
      .selectAll()
      .where('sourceType', '=', 'AFTER_SALE')
      .where('sourceId', '=', sale.afterSaleId)
      .executeTakeFirst();
    if (!refund) continue;
    if (refund.status === 'PENDING_AUDIT') await started(stage, [await passed(stage, refund, ago)], ago);
    await answer(stage, refund, ago);
  }
}

/** What stands of refunds and batches in each of their states; each takes its payments from the front. */
const SCENES: readonly { payments: number; write(stage: Stage, payments: readonly string[]): Promise<unknown> }[] = [
  { payments: 1, write: (stage, [one]) => ask(stage, one!, 0) },
  { payments: 1, write: (stage, [one]) => ask(stage, one!, 1, 'OFFLINE') },
  { payments: 1, write: (stage, [one]) => reject(stage, one!, 2) },
  { payments: 1, write: (stage, [one]) => pass(stage, one!, 1) },
  { payments: 2, write: async (stage, [a, b]) => draft(stage, [await pass(stage, a!, 1), await pass(stage, b!, 1)], 1) },
  { payments: 2, write: async (stage, [a, b]) => approved(stage, [await pass(stage, a!, 1), await pass(stage, b!, 1)], 0) },
  {
    payments: 3,
    async write(stage, [a, b, c]) {
      const refunds = [await pass(stage, a!, 2), await pass(stage, b!, 2, 'OFFLINE'), await pass(stage, c!, 2, 'OFFLINE')] as const;
      await started(stage, refunds, 1);
      await answer(stage, refunds[0], 1);
      await transfer(stage, refunds[1], 0);
    },
  },
  {
    payments: 2,
    async write(stage, [a, b]) {
      const refunds = [await pass(stage, a!, 4), await pass(stage, b!, 4, 'OFFLINE')] as const;
      await started(stage, refunds, 3);
      await answer(stage, refunds[0], 3);
      await transfer(stage, refunds[1], 3);
      await checkTransfer(stage, refunds[1], 3);
    },
  },
  {
    payments: 2,
    async write(stage, [a, b]) {
      const refunds = [await pass(stage, a!, 3), await pass(stage, b!, 3)] as const;
      await started(stage, refunds, 2);
      await answer(stage, refunds[0], 2);
      await answer(stage, refunds[1], 2, '用户账户已注销');
    },
  },
  { payments: 1, write: async (stage, [one]) => voided(stage, [await pass(stage, one!, 2)], 2) },
];

/** So old is what people give back by hand, so that all of it lies behind its payment. */
const OLD_DAYS = 6;

/** Payments of the demonstration's orders, and what goes back of them in every state. */
export const writeInvoiceDemo = (ctx: DemoContext): Promise<void> =>
  ctx.transaction(async (writing) => {
    const stage = await setStage(ctx, writing);
    const orders = await paidOrders(stage.tx);
    for (const order of orders) await pay(stage, order, order.channel, order.paymentNo, order.paidAt);
    await payBack(stage);
    const twice = orders.find(({ payFen }) => goesByItself(BigInt(payFen)));
    if (twice) await payTwice(stage, twice);
    const whole = await own(stage.tx)
      .selectFrom('invoicePayment')
      .select('id')
      .where('reservedFen', '=', '0')
      .where('receivedFen', '>', '1000')
      .where('paidAt', '<', plusMs(stage.now, -days(OLD_DAYS)))
      .orderBy('paidAt', 'desc')
      .execute();
    let taken = 0;
    for (const { payments: count, write } of SCENES) {
      // Three parts of 30 % are all that one payment gives.
      if (taken + count > 3 * whole.length) return;
      const chosen = Array.from({ length: count }, (_none, n) => whole[(taken + n) % whole.length]!);
      await write(
        stage,
        chosen.map(({ id }) => id),
      );
      taken += count;
    }
  });
