import { sql } from 'kysely';
import { Refusal } from '#kernel/contract/errors.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { cardsOf } from '#domains/card/server/index.ts';
import { own } from '../database.ts';
import { orderRecords } from './access.ts';
import { cancelOrder } from './cancel.ts';
import { hasCash, settle, settleJob } from './pay.ts';
import { noteParts, reverseCardJob } from './refunds.ts';

const MOST = 200;
export const inTransaction = <T>(ctx: JobContext, run: (acting: Acting) => Promise<T>): Promise<T> =>
  ctx.transaction((writing) => run(asSystem(writing, ctx)));

/** Orders that nobody paid in time. Of those whose cash came, though a card did not pay, a person decides. */
const expireOrders = job({
  name: 'order.expireUnpaid',
  label: '未支付订单超时取消',
  everySeconds: 60,
  async run(_data, ctx) {
    const failures = isolateFailures(ctx);
    const { rows } = await sql<{ id: string; orderNo: string }>`
      select o.id, o.order_no
        from order_order o
        where o.state = 'PENDING_PAYMENT' and o.pay_deadline <= ${ctx.now}
          and not exists (select from order_payment p where p.order_id = o.id and p.answer = 'ACCEPTED')
        order by o.pay_deadline limit ${MOST}`.execute(ctx.db);
    for (const { id, orderNo } of rows) {
      if (ctx.signal.aborted) break;
      await failures.run(orderNo, () =>
        inTransaction(ctx, async (acting) => {
          const order = await orderRecords.lock(acting.tx, orderRecords.everyone, id);
          if (order.state !== 'PENDING_PAYMENT' || order.payDeadline === null || order.payDeadline > acting.now) return;
          if (await hasCash(acting.tx, id)) return;
          await cancelOrder(ctx.kernel, acting, order, { action: 'expire', reasonCode: 'UNPAID' });
        }),
      );
    }
    failures.throwIfAny();
  },
});

/** Nothing is left to pay in cash: the cards that stand pay it. */
const settleByCards = job({
  ...settleJob,
  run: ({ orderId, round }, ctx) =>
    inTransaction(ctx, async (acting) => {
      const order = await orderRecords.lock(acting.tx, orderRecords.everyone, orderId);
      if (order.state !== 'PENDING_PAYMENT' || order.payRound !== round || Number(order.selfPayFen) > 0) return;
      await settle(ctx.kernel, acting, order);
    }),
});

/** One write-off goes back: the key makes it one reversal however often the job runs. */
const reverseCard = job({
  ...reverseCardJob,
  async run({ partId }, ctx) {
    await inTransaction(ctx, async (acting) => {
      const part = await own(acting.tx)
        .selectFrom('orderRefundPart as p')
        .innerJoin('orderFundingLine as l', (join) =>
          join.onRef('l.fundingId', '=', 'p.fundingId').onRef('l.orderLineId', '=', 'p.orderLineId'),
        )
        .select(['p.state', 'p.amountFen', 'l.writeOffId'])
        .where('p.id', '=', partId)
        .executeTakeFirst();
      if (!part?.writeOffId || part.state === 'DONE') return;
      await cardsOf(ctx.kernel).reverse(acting, {
        writeOffId: part.writeOffId,
        amount: BigInt(part.amountFen),
        key: `afterSale:${partId}`,
        reasonCode: 'RETURN',
        opinion: '订单退款',
      });
    }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return inTransaction(ctx, (acting) => noteParts(acting, { partId }, { done: false, reason: error.message }));
    });
    await inTransaction(ctx, async (acting) => {
      const reversed = await own(acting.tx).selectFrom('orderRefundPart').select('state').where('id', '=', partId).executeTakeFirst();
      if (reversed?.state === 'WAITING') await noteParts(acting, { partId }, { done: true });
    });
  },
});

export const orderJobs: readonly JobDeclaration<never>[] = [
  expireOrders,
  settleByCards as JobDeclaration<never>,
  reverseCard as JobDeclaration<never>,
];
