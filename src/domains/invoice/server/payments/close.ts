import type { Acting } from '#kernel/server/command/acting.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Db } from '#kernel/server/context.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addLateTodo, known, stillOpen } from '#kernel/server/money/inquiry.ts';
import { PayError, type Trade } from '#kernel/server/pay/port.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { paymentRecords } from '../access.ts';
import { own } from '../database.ts';
import { closeOrderPayments } from './kinds.ts';
import { latePayment, movePayment, writePayment } from './move.ts';
import { takePayment } from './take.ts';

/** A payment page that stays open for so long without a notice is asked after. */
export const NOTICE_MINUTES = 10;

export interface Asking {
  db: Db;
  /** Opens a transaction in which whoever asks acts. */
  transaction<T>(work: (ctx: Acting) => Promise<T>): Promise<T>;
}
export const askingOf = (ctx: JobContext): Asking => ({
  db: ctx.db,
  transaction: (work) => ctx.transaction((writing) => work(asSystem(writing, ctx))),
});

/** What a channel said of a payment that is not paid. */
async function noteUnpaid(kernel: Kernel, ctx: Acting, paymentId: string, state: Trade['state']): Promise<void> {
  const payment = await paymentRecords.lock(ctx.tx, paymentRecords.everyone, paymentId);
  if (payment.status !== 'PENDING' && payment.status !== 'UNKNOWN') return;
  const asked = { askedAt: ctx.now, queryTimes: payment.queryTimes + 1 };
  if (state === 'UNKNOWN' || state === 'PAID') {
    const open = stillOpen(payment.unknownSince, ctx.now);
    if (payment.status === 'PENDING') await movePayment(ctx, payment, 'lose', { ...asked, ...open });
    else await writePayment(ctx, payment, { ...asked, ...open });
    return addLateTodo(kernel, ctx.tx, open, latePayment(payment), ctx.now);
  }
  if (payment.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, latePayment(payment).businessKey, ctx.now);
  if (state === 'FAILED')
    return void (await movePayment(ctx, payment, 'fail', { ...asked, ...known, failReason: '支付渠道：支付失败', finishedAt: ctx.now }));
  if (state === 'CLOSED') return void (await movePayment(ctx, payment, 'close', { ...asked, ...known, finishedAt: ctx.now }));
  const waiting = { ...asked, unknownSince: null, askDueAt: plusMs(ctx.now, minutes(NOTICE_MINUTES)) };
  if (payment.status === 'UNKNOWN') await movePayment(ctx, payment, 'found', waiting);
  else await writePayment(ctx, payment, waiting);
}

/** Asks the channel, outside any transaction, and brings its answer in. Whoever never opened the payment page has paid nothing. */
export async function askPayment(kernel: Kernel, asking: Asking, paymentId: string): Promise<Trade['state']> {
  const payment = await own(asking.db)
    .selectFrom('invoicePayment')
    .select(['paymentNo', 'channel', 'status'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  if (payment.status !== 'PENDING' && payment.status !== 'UNKNOWN') return 'WAITING';
  const { state, channelTradeNo, amountFen, paidAt } = await kernel.pay.channel(payment.channel).query(payment.paymentNo);
  await asking.transaction(async (ctx) => {
    if (state === 'PAID' && channelTradeNo !== null && amountFen !== null && paidAt !== null)
      await takePayment(kernel, ctx, payment.paymentNo, { channel: payment.channel, channelTradeNo, amountFen, paidAt });
    else await noteUnpaid(kernel, ctx, paymentId, state);
  });
  return state;
}

/** Ends a payment that nobody is to make any more: the channel is asked first, and told. What is unknown there stays open. */
export async function closePayment(kernel: Kernel, asking: Asking, paymentId: string): Promise<void> {
  if ((await askPayment(kernel, asking, paymentId)) === 'UNKNOWN') return;
  const payment = await own(asking.db)
    .selectFrom('invoicePayment')
    .select(['paymentNo', 'channel', 'status'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  if (payment.status !== 'INIT' && payment.status !== 'PENDING') return;
  if (payment.status === 'PENDING') {
    try {
      await kernel.pay.channel(payment.channel).close(payment.paymentNo);
    } catch (error) {
      if (!(error instanceof PayError)) throw error;
      kernel.log.warn({ error: error.message, paymentNo: payment.paymentNo }, 'a payment could not be closed');
      return;
    }
  }
  await asking.transaction(async (ctx) => {
    const locked = await paymentRecords.lock(ctx.tx, paymentRecords.everyone, paymentId);
    // Opened or paid meanwhile.
    if (locked.status === payment.status) await movePayment(ctx, locked, 'close', { ...known, finishedAt: ctx.now });
  });
}

/** Their time is over now, so that what cannot be closed at once is tried again every minute. */
export const closeJob = job<{ orderId: string }>({
  ...closeOrderPayments,
  async run({ orderId }, ctx) {
    const asking = askingOf(ctx);
    const live = await asking.transaction(async (acting) => {
      const rows = await own(acting.tx)
        .selectFrom('invoicePayment')
        .selectAll()
        .where('sourceId', '=', orderId)
        .where('status', 'in', ['INIT', 'PENDING', 'UNKNOWN'])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute();
      for (const row of rows) if (row.expireAt > acting.now) await writePayment(acting, row, { expireAt: acting.now });
      return rows;
    });
    for (const { id } of live) await closePayment(ctx.kernel, asking, id);
  },
});
