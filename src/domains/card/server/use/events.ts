import { cardHoldTimedOut } from '#events/card.ts';
import { rightsApplyCompleted } from '#events/claim.ts';
import { holdTimedOut } from '#events/ledger.ts';
import { orderCancelled, orderPaid } from '#events/order.ts';
import type { DeliveredEvent, EventDeclaration, PayloadOf } from '#kernel/contract/event.ts';
import type { Consumer, ConsumerContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { ledgerOf, SYSTEM, tryLedger } from '#domains/ledger/server/index.ts';
import { own } from '../database.ts';
import { addFinding } from '../findings/add.ts';
import { accrueHold, accrueReversal, accrueReversalJob } from './accrue.ts';
import { accrueJob, captureHold, releaseHold } from './capture.ts';
import { holdCards } from './hold.ts';
import { closeOrder, keepOrder, type EventOrder } from './orders.ts';

/** A reaction to one event, with its payload. */
export const on = <E extends EventDeclaration>(
  event: E,
  run: (payload: PayloadOf<E>, ctx: ConsumerContext, delivered: DeliveredEvent<unknown>) => Promise<void>,
): Consumer => ({ domain: 'card', event, run: (delivered, ctx) => run(delivered.payload as PayloadOf<E>, ctx, delivered) });

async function timedOut(ctx: ConsumerContext | Parameters<typeof releaseHold>[0], kernel: Kernel, holdId: string) {
  const hold = await releaseHold(ctx, ledgerOf(kernel), { holdId, reason: '超时', by: SYSTEM, timedOut: true });
  await ctx.publish(cardHoldTimedOut, hold.id, {
    holdId: hold.id,
    bizType: hold.bizType,
    bizId: hold.bizId,
    cardId: hold.cardId,
    amount: Number(hold.amount),
  });
}

/** One use of the contract's benefit card for a right that was served. @returns false where no card has one left */
async function useRight(
  ctx: ConsumerContext,
  kernel: Kernel,
  right: { rightsApplyId: string; rightCode: string; contractId: string },
): Promise<boolean> {
  const cards = await own(ctx.tx)
    .selectFrom('cardCard as c')
    .innerJoin('cardTimesBalance as b', 'b.cardId', 'c.id')
    .select(['c.id'])
    .where('c.contractId', '=', right.contractId)
    .where('c.state', '=', 'ACTIVE')
    .where('b.benefitId', '=', right.rightCode)
    .whereRef('b.leftTimes', '>', 'b.heldTimes')
    .orderBy('c.expireAt')
    .limit(1)
    .execute();
  const [card] = cards;
  if (!card) return false;
  const tried = await tryLedger(ctx.tx, async () => {
    const [held] = await holdCards(ctx, ledgerOf(kernel), {
      bizType: 'RIGHTS',
      bizId: right.rightsApplyId,
      bizNo: right.rightsApplyId,
      key: `rights:${right.rightsApplyId}`,
      orderType: 'RIGHTS',
      drugstoreId: null,
      drugstoreName: null,
      lines: [
        {
          orderLineId: right.rightsApplyId,
          medicineId: null,
          categoryCode: null,
          goodsName: '权益服务',
          quantity: 1,
          amount: 0n,
          merchantId: 'PLATFORM',
          merchantName: '平台自营',
        },
      ],
      cardIds: [card.id],
      benefit: { benefitId: right.rightCode, times: 1 },
      operator: { ...SYSTEM, type: 'AUTO' },
    });
    await captureHold(ctx, ledgerOf(kernel), { holdId: held!.holdId, by: { ...SYSTEM, type: 'AUTO' } });
  });
  return 'done' in tried;
}

/** An order as its events tell it. */
const toldOf = (order: PayloadOf<typeof orderPaid> | PayloadOf<typeof orderCancelled>): EventOrder => ({
  orderId: order.orderId,
  orderNo: order.orderNo,
  orderType: order.orderType,
  patientId: order.patientId,
  drugstoreId: order.drugstoreId,
  drugstoreName: order.drugstoreName,
  payFen: BigInt(order.payFen),
  closed: false,
  orderTime: order.orderTime,
  lines: order.lines.map((line) => ({
    orderLineId: line.orderLineId,
    medicineId: line.medicineId,
    categoryCode: null,
    goodsName: line.goodsName,
    quantity: line.quantity,
    amount: BigInt(line.amount),
    merchantId: order.drugstoreId ?? 'PLATFORM',
    merchantName: order.drugstoreName ?? '平台自营',
  })),
});

export const useConsumers = (kernel: Kernel): Consumer[] => [
  on(holdTimedOut, async ({ businessKey }, ctx) => {
    const found = /^card:hold:(\d+)$/.exec(businessKey);
    if (found) await timedOut(ctx, kernel, found[1]!);
  }),
  on(orderCancelled, async (order, ctx) => {
    await closeOrder(ctx.tx, toldOf(order), ctx.now);
    // The order freed its holds itself; whatever it left is freed here.
    const holds = await own(ctx.tx)
      .selectFrom('cardHold')
      .select('id')
      .where('bizType', 'in', ['ORDER', 'MANUAL'])
      .where('bizId', '=', order.orderId)
      .where('state', '=', 'HELD')
      .orderBy('id')
      .execute();
    for (const { id } of holds) await ctx.enqueue(releaseJob, { holdId: id }, { singletonKey: `release:${id}` });
  }),
  on(orderPaid, async (order, ctx) => {
    await keepOrder(ctx.tx, toldOf(order), ctx.now);
  }),
  on(rightsApplyCompleted, async (right, ctx) => {
    if (await useRight(ctx, kernel, right)) return;
    await addFinding(ctx, {
      code: 'I10',
      subjectType: 'rightsApply',
      subjectId: right.rightsApplyId,
      subject: `权益申请 ${right.rightsApplyId}`,
      expected: '合同权益卡剩余1次',
      actual: '无剩余次数',
    });
  }),
];

/** Frees one hold; several of an order have each their own transaction, as the ledger's locks want it. */
const releaseJob = {
  name: 'card.releaseHold',
  label: '释放已取消订单的预占',
  retryLimit: 5,
  subject: ({ holdId }: { holdId: string }) => holdId,
};

export const useJobs = (kernel: Kernel): JobDeclaration<never>[] => {
  const declared = <D extends object>(job: JobDeclaration<D>) => job as JobDeclaration<never>;
  return [
    declared<{ holdId: string }>({
      ...releaseJob,
      async run({ holdId }, ctx) {
        await ctx.transaction(async (writing) => {
          const use = { ...writing, now: ctx.now, traceId: ctx.traceId };
          // A hold that has ended meanwhile needs nothing more.
          await tryLedger(writing.tx, () => releaseHold(use, ledgerOf(kernel), { holdId, reason: '订单已取消', by: SYSTEM }));
        });
      },
    }),
    declared<{ holdId: string }>({
      ...accrueJob,
      run: ({ holdId }, ctx) =>
        ctx.transaction((writing) => accrueHold({ ...writing, now: ctx.now, traceId: ctx.traceId }, ledgerOf(kernel), holdId)),
    }),
    declared<{ reversalId: string }>({
      ...accrueReversalJob,
      run: ({ reversalId }, ctx) =>
        ctx.transaction((writing) => accrueReversal({ ...writing, now: ctx.now, traceId: ctx.traceId }, ledgerOf(kernel), reversalId)),
    }),
    declared<Record<string, never>>({
      name: 'card.timeOutHolds',
      label: '释放超时的权益与优惠券预占',
      everySeconds: 60,
      async run(_data, ctx) {
        const due = await own(ctx.db)
          .selectFrom('cardHold')
          .select(['id', 'bizNo'])
          .where('state', '=', 'HELD')
          .where('kind', '<>', 'STORED_VALUE')
          .where('expireAt', '<=', ctx.now)
          .orderBy('expireAt')
          .limit(200)
          .execute();
        const failures = isolateFailures(ctx);
        for (const { id, bizNo } of due) {
          if (ctx.signal.aborted) break;
          await failures.run(bizNo, () =>
            ctx.transaction((writing) => timedOut({ ...writing, now: ctx.now, traceId: ctx.traceId }, kernel, id)),
          );
        }
        failures.throwIfAny();
      },
    }),
  ];
};
