import { Refusal } from '#kernel/contract/errors.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import { createOrder } from '../orders/create.ts';
import { inTransaction } from '../orders/jobs.ts';
import { settleRegistered } from '../orders/pay.ts';
import { publishPosted } from '../orders/publish.ts';
import { linesOfManual, manualRecords, moveManual, type ManualRecord } from './access.ts';
import { standingHold } from './cards.ts';
import { identityOf } from './save.ts';
import { postJob } from './postJob.ts';

/** A posting that has not ended after this time never will: its process died, or the queue gave it up. */
const STUCK_MINUTES = 15;

async function coverOf(ctx: Acting, { contractId }: ManualRecord) {
  if (contractId === null) return null;
  const contract = await own(ctx.tx).selectFrom('orderContract').selectAll().where('contractId', '=', contractId).executeTakeFirstOrThrow();
  const { policyId, insurerId, productCode } = contract;
  return { contractId, policyId, insurerId, productCode };
}

/**
 * A locked manual order that is being posted becomes an order: made, paid and completed, its card written off, all in this transaction or
 * none of it.
 * @throws Refusal for what stands in its way
 */
export async function postManual(kernel: Kernel, ctx: Acting, row: ManualRecord): Promise<void> {
  const lines = await linesOfManual(ctx.tx, row.id);
  const { buyerName, mobile } = identityOf(kernel.secrets, row);
  const held = Number(row.cardFen) === 0 ? [] : [await standingHold(kernel, ctx, row, lines)];
  const cover = await coverOf(ctx, row);
  await createOrder(kernel, ctx, {
    bizLine: row.bizLine,
    orderType: 'STORE_DIRECT',
    origin: 'MANUAL',
    outerNo: null,
    placedBy: null,
    patientId: row.patientId ?? '',
    buyerName,
    buyerMobile: mobile,
    drugstoreId: row.drugstoreId,
    receiver: null,
    rx: { fileIds: [], no: '', diagnosis: '', uploaderId: row.submittedBy ?? '', passedBy: row.rxPassedBy },
    lines: lines.map((line) => ({
      goodsCode: line.goodsCode,
      goodsName: line.goodsName,
      quantity: line.quantity,
      unitPriceFen: Number(line.unitPriceFen),
      benefitFen: Number(line.benefitFen),
    })),
    freightFen: 0,
    discountFen: 0,
    cardIds: row.cardId === null ? [] : [row.cardId],
    suggestNo: null,
    buyerRemark: '',
    ...(cover && { cover }),
    registered: {
      orderId: row.reservedOrderId ?? '',
      orderNo: row.reservedOrderNo ?? '',
      lineIds: lines.map(({ orderLineId }) => orderLineId ?? ''),
      settle: (order) =>
        settleRegistered(kernel, ctx, order, {
          held,
          paymentNo: row.manualNo,
          beforeCards: async (paid) => {
            await moveManual(ctx, row, 'posted', { orderId: paid.id });
            await publishPosted(ctx, paid, row.manualNo);
          },
        }),
    },
  });
}

/** Says why no order came of it. */
export const failManual = (ctx: Acting, row: ManualRecord, failReason: string) =>
  moveManual(ctx, row, 'postFail', { failReason }, { opinion: failReason });

const post = job({
  ...postJob,
  async run({ manualOrderId }, ctx) {
    const posting = async (acting: Acting): Promise<ManualRecord | null> => {
      const row = await manualRecords.lock(acting.tx, manualRecords.everyone, manualOrderId);
      return row.state === 'POSTING' ? row : null;
    };
    await inTransaction(ctx, async (acting) => {
      const row = await posting(acting);
      if (row) await postManual(ctx.kernel, acting, row);
    }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      const reason = error.fields?.[0]?.message ?? error.message;
      return inTransaction(ctx, async (acting) => {
        const row = await posting(acting);
        if (row) await failManual(acting, row, reason);
      });
    });
  },
});

/** Postings that nothing works on any more wait for a person. */
const giveUp = job({
  name: 'order.failStuckManual',
  label: '手工订单落单超时',
  everySeconds: 60,
  async run(_data, ctx) {
    const failures = isolateFailures(ctx);
    const since = plusMs(ctx.now, -minutes(STUCK_MINUTES));
    const stuck = await own(ctx.db)
      .selectFrom('orderManual')
      .select(['id', 'manualNo'])
      .where('state', '=', 'POSTING')
      .where('stateSince', '<=', since)
      .orderBy('stateSince')
      .limit(100)
      .execute();
    for (const { id, manualNo } of stuck) {
      if (ctx.signal.aborted) break;
      await failures.run(manualNo, () =>
        inTransaction(ctx, async (acting) => {
          const row = await manualRecords.lock(acting.tx, manualRecords.everyone, id);
          if (row.state === 'POSTING' && row.stateSince <= since) await failManual(acting, row, '落单超时，请重新落单');
        }),
      );
    }
    failures.throwIfAny();
  },
});

export const manualJobs: readonly JobDeclaration<never>[] = [post as JobDeclaration<never>, giveUp];
