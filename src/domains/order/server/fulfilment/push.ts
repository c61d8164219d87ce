import { minutes, plusMs } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { OmsAnswer, OmsOrder } from '#kernel/server/oms/port.ts';
import { carriers } from '../../contract/orderDictionaries.ts';
import { pushJob } from '../allocation/job.ts';
import { own } from '../database.ts';
import { openException } from '../exceptions/open.ts';
import { inTransaction } from '../orders/jobs.ts';
import { fulfilmentRecords, lockPart, movePart, partLines, writePart, type FulfilmentRecord, type LockedPart } from './access.ts';
import { accepted, cancelConfirmed, pushed, rejected, supplierOf } from './give.ts';
import { shipped, type Parcel } from './ship.ts';
import { Refusal } from '#kernel/contract/errors.ts';

/** After this time a supplier that did not answer is asked whether he has it. */
const ASK_AFTER = minutes(5);
/** How often a push is made, and how often its result is asked for, before a person looks. */
const MOST_PUSHES = 3;
const MOST_ASKS = 6;

const lockAny = (ctx: Acting, fulfilmentId: string) => lockPart(ctx.tx, fulfilmentRecords.everyone, fulfilmentId);
const fails = async (ctx: Acting, { order, part }: LockedPart, detail: string): Promise<FulfilmentRecord> => {
  const moved = await movePart(ctx, part, 'pushFails', { pushState: 'FAILED', askDueAt: null }, detail);
  await openException(ctx, order, { type: 'PUSH_FAILED', detail: `${part.fulfilmentNo}：${detail}`, fulfilmentId: part.id });
  return moved;
};

/** What the supplier gets of a part. */
async function omsOrderOf({ secrets }: Kernel, ctx: Acting, { order, part }: LockedPart): Promise<OmsOrder> {
  const lines = await partLines(ctx.tx, part.id);
  const { supplierCode } = await supplierOf(ctx.tx, part);
  const isSent = part.way === 'SHIP' && order.receiverNameCipher !== null && order.receiverMobileCipher !== null;
  return {
    fulfilmentNo: part.fulfilmentNo,
    supplierCode,
    way: part.way,
    lines: lines.map(({ goodsCode, quantity }) => ({ goodsCode, quantity })),
    receiver:
      isSent && order.adcode !== null && order.addressCipher !== null
        ? {
            name: secrets.decrypt(order.receiverNameCipher ?? ''),
            mobile: secrets.decrypt(order.receiverMobileCipher ?? ''),
            adcode: order.adcode,
            address: secrets.decrypt(order.addressCipher),
          }
        : null,
    isColdChain: lines.some(({ coldChain }) => coldChain),
  };
}

/**
 * Before the supplier is asked it is written that nobody knows the result: whatever happens to the process then, the part is asked for
 * and never pushed blindly again. Null: there is nothing to push, or people operate for the supplier.
 */
const beginPush = (ctx: JobContext, fulfilmentId: string): Promise<OmsOrder | null> =>
  inTransaction(ctx, async (acting) => {
    const locked = await lockAny(acting, fulfilmentId);
    const { part } = locked;
    if (part.state !== 'WAIT_PUSH' || part.pushState === 'UNKNOWN' || part.pushState === 'SENT') return null;
    const { integration } = await supplierOf(acting.tx, part);
    if (integration !== 'API' || !ctx.kernel.oms.available) {
      await pushed(acting, locked);
      return null;
    }
    await writePart(acting, part, {
      pushState: 'UNKNOWN',
      pushTimes: part.pushTimes + 1,
      askedTimes: 0,
      askDueAt: plusMs(acting.now, ASK_AFTER),
    });
    return omsOrderOf(ctx.kernel, acting, locked);
  });

export const push = job({
  ...pushJob,
  async run({ fulfilmentId }, ctx) {
    const order = await beginPush(ctx, fulfilmentId);
    if (order === null) return;
    const answer = await ctx.kernel.oms.push(order);
    await inTransaction(ctx, async (acting) => {
      const locked = await lockAny(acting, fulfilmentId);
      const { part } = locked;
      if (part.state !== 'WAIT_PUSH' || part.pushState !== 'UNKNOWN') return;
      if (answer === 'TAKEN') await pushed(acting, locked);
      else if (answer === 'REFUSED') await fails(acting, locked, '供应商拒绝接收');
      else await movePart(acting, part, 'pushUnanswered', {}, '供应商没有应答，5分钟后自动查询');
    });
  },
});

const carrierOf = (code: string) => carriers.codes.find((one) => one === code) ?? null;

/** Parcels that a supplier reports, each once; what does not fit the rules a person registers. */
async function takeParcels(ctx: Acting, fulfilmentId: string, answer: OmsAnswer): Promise<void> {
  for (const reported of answer.parcels) {
    const locked = await lockAny(ctx, fulfilmentId);
    const { order, part } = locked;
    const carrierCode = carrierOf(reported.carrierCode);
    const known = await own(ctx.tx)
      .selectFrom('orderShipment')
      .select('id')
      .where('fulfilmentId', '=', part.id)
      .where('carrierCode', '=', carrierCode ?? 'OWN')
      .where('waybillNo', '=', reported.waybillNo)
      .executeTakeFirst();
    if (known || (part.state !== 'WAIT_SHIP' && part.state !== 'PART_SHIPPED')) continue;
    const lines = await partLines(ctx.tx, part.id);
    const parcel: Parcel = {
      carrierCode: carrierCode ?? 'OWN',
      waybillNo: reported.waybillNo,
      shippedAt: reported.shippedAt,
      lines: reported.lines.map(({ goodsCode, ...line }) => ({
        ...line,
        orderLineId: lines.find((one) => one.goodsCode === goodsCode)?.orderLineId ?? '0',
      })),
      tempRecordFileId: null,
      minTemp: null,
      maxTemp: null,
    };
    try {
      await shipped(ctx, locked, parcel, { source: 'CALLBACK' });
    } catch (error) {
      // Nothing was written before the rules were asked.
      if (!(error instanceof Refusal)) throw error;
      await openException(ctx, order, {
        type: 'LOGISTICS_PROBLEM',
        detail: `供应商回传的包裹${reported.waybillNo}不能登记：${error.message}，请人工登记发货`,
        fulfilmentId: part.id,
      });
    }
  }
}

/** Brings a part to where its supplier says that it is; told twice or late it changes nothing. */
async function applyAnswer(ctx: Acting, fulfilmentId: string, answer: OmsAnswer): Promise<void> {
  let locked = await lockAny(ctx, fulfilmentId);
  const again = async () => {
    locked = await lockAny(ctx, fulfilmentId);
  };
  const { state } = answer;
  if (state === 'UNKNOWN') return;
  if (locked.part.state === 'WAIT_PUSH') {
    await pushed(ctx, locked, answer.supplierOrderNo);
    await again();
  }
  if (locked.part.supplierOrderNo === null && answer.supplierOrderNo !== null) {
    await writePart(ctx, locked.part, { supplierOrderNo: answer.supplierOrderNo });
    await again();
  }
  if (state === 'CANCELLED' && locked.part.state === 'CANCELLING') {
    await cancelConfirmed(ctx, locked);
    return;
  }
  if ((state === 'ACCEPTED' || state === 'SHIPPED') && locked.part.state === 'WAIT_ACCEPT') {
    await accepted(ctx, locked);
    await again();
  }
  const isOpen = locked.part.state === 'WAIT_ACCEPT' || locked.part.state === 'WAIT_SHIP';
  if ((state === 'REJECTED' || state === 'CANCELLED') && isOpen) {
    await rejected(ctx, locked, answer.rejectReason ?? (state === 'CANCELLED' ? '供应商已取消' : '供应商拒单'));
    return;
  }
  if (state === 'SHIPPED') await takeParcels(ctx, fulfilmentId, answer);
}

/** Texts of what asking found. */
export const FOUND = {
  NO_ANSWER: '供应商没有应答，请稍后再查',
  NOT_THERE: '供应商没有收到该履约单，已重新推送',
  TAKEN: '供应商已收到该履约单',
  NOTHING: '推送结果已确定，无需查询',
} as const;
type Found = keyof typeof FOUND;

/**
 * Asks the supplier whether he has a part whose push nobody answered; one that he never saw is pushed again under its number.
 * @param transact the transactions of the caller: a request's or a job's
 */
export async function askPushResult(
  { oms }: Kernel,
  transact: (run: (ctx: Acting) => Promise<Found>) => Promise<Found>,
  { id, fulfilmentNo }: Pick<FulfilmentRecord, 'id' | 'fulfilmentNo'>,
): Promise<Found> {
  const answer = await oms.query(fulfilmentNo);
  return transact(async (ctx) => {
    const locked = await lockAny(ctx, id);
    const { part } = locked;
    if (part.state !== 'WAIT_PUSH' || part.pushState !== 'UNKNOWN') return 'NOTHING';
    if (answer === null) {
      if (part.pushTimes >= MOST_PUSHES) {
        await fails(ctx, locked, '多次推送供应商均未收到');
        return 'NO_ANSWER';
      }
      await writePart(ctx, part, { pushState: 'NONE', askDueAt: null });
      await ctx.enqueue(pushJob, { fulfilmentId: id });
      return 'NOT_THERE';
    }
    if (answer.state === 'UNKNOWN') {
      const askedTimes = part.askedTimes + 1;
      if (askedTimes === MOST_ASKS)
        await openException(ctx, locked.order, {
          type: 'PUSH_FAILED',
          detail: `${fulfilmentNo}：推送结果多次查询无应答`,
          fulfilmentId: id,
        });
      await writePart(ctx, part, { askedTimes, askDueAt: plusMs(ctx.now, ASK_AFTER) });
      return 'NO_ANSWER';
    }
    await applyAnswer(ctx, id, answer);
    return 'TAKEN';
  });
}

/** Asks the supplier how a part stands that he has. */
export async function pollPart(ctx: JobContext, { id, fulfilmentNo }: Pick<FulfilmentRecord, 'id' | 'fulfilmentNo'>): Promise<void> {
  const answer = await ctx.kernel.oms.query(fulfilmentNo);
  if (answer === null) return;
  await inTransaction(ctx, (acting) => applyAnswer(acting, id, answer));
}
