import { refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { attach } from '#domains/files/server/index.ts';
import { afterSaleMachine, type AfterSaleAction } from '../../contract/afterSaleStates.ts';
import {
  addAfterSale,
  auditAfterSale,
  cancelAfterSale,
  confirmCounterRefund,
  inspectReturn,
  previewAfterSale,
  receiveReturn,
} from '../../contract/calls/afterSales.ts';
import { AFTER_SALE_PROOF } from '../../contract/purposes.ts';
import { HIGH_REFUND_FEN, NEEDS_EVIDENCE } from '../../contract/rules/returns.ts';
import { own } from '../database.ts';
import { orderRecords } from '../orders/access.ts';
import { AFTER_SALE_TARGET, moveAfterSale, noteParts, startRefund, type AfterSaleRecord } from '../orders/refunds.ts';
import { allocateJob } from '../allocation/job.ts';
import { afterSaleRecords } from './access.ts';
import { draftReturn } from './draft.ts';

export const preview = query(previewAfterSale, async ({ orderId, ...wish }, { db, staff }) => {
  const order = await orderRecords.get(db, staff, orderId);
  const { returned, parts, refundFen } = await draftReturn(db, order, wish);
  const names = new Map(returned.map(({ line }) => [line.id, line.goodsName]));
  return {
    refundFen,
    parts: parts.map(({ orderLineId, kind, amountFen }) => ({ orderLineId, goodsName: names.get(orderLineId) ?? '', kind, amountFen })),
  };
});

export const add = command(addAfterSale, async ({ orderId, evidenceFileIds, applicantText, internalNote, ...wish }, ctx) => {
  const order = await orderRecords.lock(ctx.tx, ctx.staff, orderId);
  ctx.target({ type: orderRecords.type, id: order.id, no: order.orderNo, looked: true });
  if (NEEDS_EVIDENCE.includes(wish.reasonCode) && evidenceFileIds.length === 0) throw refuseField('evidenceFileIds', '请上传凭证');
  const { returned, refundFen } = await draftReturn(ctx.tx, order, wish);
  const row = await own(ctx.tx)
    .insertInto('orderAfterSale')
    .values({
      afterSaleNo: await nextNumber(ctx.tx, 'AS', ctx.today),
      orderId,
      type: wish.type,
      cause: 'AFTER_SALE',
      reasonCode: wish.reasonCode,
      refundFen: String(refundFen),
      evidenceFileIds,
      applicantText,
      internalNote,
      state: 'PENDING_AUDIT',
      makerId: ctx.staff.userId,
      makerName: ctx.staff.displayName,
      createdAt: ctx.now,
      createdBy: ctx.staff.userId,
      updatedAt: ctx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await own(ctx.tx)
    .insertInto('orderAfterSaleLine')
    .values(returned.map(({ line, quantity, withFreight }) => ({ afterSaleId: row.id, orderLineId: line.id, quantity, withFreight })))
    .execute();
  await attach(
    ctx.tx,
    {
      fileIds: evidenceFileIds,
      purpose: AFTER_SALE_PROOF,
      ownerType: AFTER_SALE_TARGET,
      ownerId: row.id,
      field: 'PROOF',
      userId: ctx.staff.userId,
    },
    ctx.now,
  );
  await moveState(ctx, afterSaleMachine, {
    targetType: AFTER_SALE_TARGET,
    targetId: row.id,
    targetNo: row.afterSaleNo,
    action: 'open',
    from: row.state,
  });
  return actionAnswer(ctx, afterSaleMachine, row);
});

/** The order first, as everywhere, then its return. */
async function lockBoth(ctx: CommandContext, id: string, version: number) {
  const seen = await afterSaleRecords.get(ctx.tx, ctx.staff, id);
  const order = await orderRecords.lock(ctx.tx, ctx.staff, seen.orderId);
  const row = await afterSaleRecords.lockVersion(ctx, id, version, () => ({ opinion: '' }));
  return { order, row };
}

/** Pieces that nobody was to send while their return was open are given to suppliers again. */
const giveAgain = async (ctx: CommandContext, { orderId, reasonCode }: AfterSaleRecord): Promise<void> => {
  if (reasonCode === 'NOT_SHIPPED') await ctx.enqueue(allocateJob, { orderId });
};

const ACTS = {
  NORMAL: { approve: ['approve', 'approveReturn'], refuse: 'refuse' },
  HIGH: { approve: ['approveHigh', 'approveHighReturn'], refuse: 'refuseHigh' },
} as const satisfies Record<string, { approve: readonly [AfterSaleAction, AfterSaleAction]; refuse: AfterSaleAction }>;

export const audit = command(auditAfterSale, async ({ afterSaleId, version, level, decision, opinion }, ctx) => {
  const { order, row } = await lockBoth(ctx, afterSaleId, version);
  const asked = Number(row.refundFen) >= HIGH_REFUND_FEN ? 'HIGH' : 'NORMAL';
  if (row.state === 'PENDING_AUDIT' && level !== asked)
    throw refuseField('level', asked === 'HIGH' ? '退款金额达到2万元，须由财务主管审核' : '退款金额不足2万元，由履约主管审核');
  const by = { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName, decidedAt: ctx.now };
  const moves = ACTS[level];
  if (decision === 'refuse') {
    await giveAgain(ctx, row);
    return actionAnswer(ctx, afterSaleMachine, await moveAfterSale(ctx, row, moves.refuse, by, opinion));
  }
  const [refund, wait] = moves.approve;
  if (row.type === 'RETURN_REFUND') return actionAnswer(ctx, afterSaleMachine, await moveAfterSale(ctx, row, wait, by, opinion));
  const moved = await moveAfterSale(ctx, row, refund, by, opinion);
  return actionAnswer(ctx, afterSaleMachine, await startRefund(ctx, order, moved));
});

export const receive = command(receiveReturn, async ({ afterSaleId, version, returnWaybill }, ctx) => {
  const { row } = await lockBoth(ctx, afterSaleId, version);
  return actionAnswer(ctx, afterSaleMachine, await moveAfterSale(ctx, row, 'receive', { returnWaybill }));
});

export const inspect = command(inspectReturn, async ({ afterSaleId, version, passes, opinion }, ctx) => {
  const { order, row } = await lockBoth(ctx, afterSaleId, version);
  if (!passes) return actionAnswer(ctx, afterSaleMachine, await moveAfterSale(ctx, row, 'inspectFail', {}, opinion));
  const moved = await moveAfterSale(ctx, row, 'inspectPass', {}, opinion);
  return actionAnswer(ctx, afterSaleMachine, await startRefund(ctx, order, moved));
});

/** @throws Refusal SCM90020 where the cash goes back by the cashier, or has gone back */
export const confirmCounter = command(confirmCounterRefund, async ({ afterSaleId, version, opinion }, ctx) => {
  const { order, row } = await lockBoth(ctx, afterSaleId, version);
  if (row.state === 'REFUNDING' && order.orderType !== 'STORE_DIRECT') throw refuseField('afterSaleId', '该订单由支付渠道退款，不能登记');
  await moveAfterSale(ctx, row, 'confirmCounter', {}, opinion);
  await noteParts(ctx, { afterSaleId }, { done: true });
  return actionAnswer(ctx, afterSaleMachine, await afterSaleRecords.get(ctx.tx, ctx.staff, afterSaleId));
});

export const cancel = command(cancelAfterSale, async ({ afterSaleId, version, opinion }, ctx) => {
  const { row } = await lockBoth(ctx, afterSaleId, version);
  await giveAgain(ctx, row);
  return actionAnswer(ctx, afterSaleMachine, await moveAfterSale(ctx, row, 'cancel', { doneAt: ctx.now }, opinion));
});
