import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { yuan } from '#kernel/contract/money.ts';
import { startOfDay } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { limitRate } from '#kernel/server/command/rateLimit.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, procedure } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { attach } from '#domains/files/server/index.ts';
import {
  addRefund,
  auditOfflineRefund,
  auditRefund,
  confirmOfflineRefund,
  queryRefundResult,
  reopenRefund,
  revealRefundPayee,
} from '../../contract/calls/refunds.ts';
import { invoiceErrors } from '../../contract/errors.ts';
import { REFUND_VOUCHER } from '../../contract/purposes.ts';
import { isTooOld, refundable } from '../../contract/rules/refund.ts';
import { refundMachine } from '../../contract/states.ts';
import { paymentRecords, refundRecords, type RefundRecord } from '../access.ts';
import { own } from '../database.ts';
import { lockRefund, moveRefund, reserve, type LockedRefund } from './move.ts';
import { openRefund, type Payee } from './open.ts';
import { askRefund } from './send.ts';
import { fail, succeed } from './settle.ts';

const SYNC_SECONDS = 10;

const answer = (ctx: Pick<CommandContext, 'has'>, row: RefundRecord) => ({
  ...actionAnswer(ctx, refundMachine, { ...row, state: row.status }),
  state: row.status,
});
const wrongState = ({ status }: RefundRecord) => refuse(platformErrors.WRONG_STATE, { state: refundMachine.states[status].label });

interface GivenPayee {
  payeeName?: string | undefined;
  payeeBank?: string | undefined;
  payeeAccount?: string | undefined;
}
/** To whom a transfer goes; null where the money goes back the way it came. */
function payeeOf({ secrets }: Pick<Kernel, 'secrets'>, way: RefundRecord['way'], given: GivenPayee): Payee | null {
  const { payeeName, payeeBank, payeeAccount } = given;
  if (way === 'ORIGINAL' || payeeName === undefined || payeeBank === undefined || payeeAccount === undefined) return null;
  return {
    payeeName,
    payeeBank,
    payeeAccountCipher: secrets.encrypt(payeeAccount),
    payeeAccountMasked: mask('bankCard', payeeAccount),
  };
}

/** @throws Refusal SCM20060 for more than is left, SCM20062 for the way back of what was paid too long ago */
export const add = (kernel: Kernel) =>
  command(addRefund, async ({ paymentId, amountFen, way, reason, ...payee }, ctx) => {
    const payment = await paymentRecords.lock(ctx.tx, ctx.staff, paymentId);
    const refund = await openRefund(kernel, ctx, payment, {
      sourceType: 'MANUAL',
      sourceId: payment.sourceId,
      amountFen: BigInt(amountFen),
      way,
      payee: payeeOf(kernel, way, payee),
      reason,
      maker: ctx.staff,
    });
    ctx.target({ type: refundRecords.type, id: refund.id, no: refund.refundNo });
    return answer(ctx, refund);
  });

/** Locked as somebody saw it. @throws Refusal SCM90040, SCM90030 */
async function lockSeen(
  ctx: CommandContext,
  refundId: string,
  version: number,
  view: (row: RefundRecord) => object,
): Promise<LockedRefund> {
  const locked = await lockRefund(ctx.tx, refundId);
  await requireVersion(ctx, refundRecords.type, locked.refund, version, () => view(locked.refund));
  return locked;
}

/** @throws Refusal SCM20003 for whoever asked for it */
export const audit = command(auditRefund, async ({ refundId, version, decision, opinion }, ctx) => {
  const { payment, refund } = await lockSeen(ctx, refundId, version, (row) => ({ refundId: row.id, opinion: row.opinion ?? '' }));
  if (decision === 'approve' && refund.way === 'ORIGINAL' && isTooOld(payment.paidAt, ctx.now)) throw refuse(invoiceErrors.REFUND_TOO_OLD);
  const checker = { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName, opinion: opinion === '' ? null : opinion };
  const moved = await moveRefund(ctx, refund, decision, checker, opinion);
  if (decision === 'reject') await reserve(ctx, payment, -BigInt(refund.amountFen));
  return answer(ctx, moved);
});

/** @throws Refusal SCM20060 where the money went back otherwise meanwhile, SCM20062 for the way back of what is too old for it */
export const reopen = (kernel: Kernel) =>
  command(reopenRefund, async ({ refundId, version, way, ...payee }, ctx) => {
    const { payment, refund } = await lockSeen(ctx, refundId, version, (row) => ({
      refundId: row.id,
      way: row.way,
      payeeName: row.payeeName,
      payeeBank: row.payeeBank,
      payeeAccount: row.payeeAccountMasked,
    }));
    const left = refundable(payment);
    if (refund.status !== 'FAILED') throw wrongState(refund);
    if (BigInt(refund.amountFen) > left) throw refuse(invoiceErrors.REFUND_TOO_MUCH, { n: yuan(left) });
    if (way === 'ORIGINAL' && isTooOld(payment.paidAt, ctx.now)) throw refuse(invoiceErrors.REFUND_TOO_OLD);
    const nobody: Record<keyof Payee, null> = { payeeName: null, payeeBank: null, payeeAccountCipher: null, payeeAccountMasked: null };
    const moved = await moveRefund(ctx, refund, way === 'ORIGINAL' ? 'reopen' : 'reopenOffline', {
      way,
      ...nobody,
      ...payeeOf(kernel, way, payee),
      byItself: false,
      batchId: null,
      attempt: refund.attempt + 1,
      sentAt: null,
      channelRefundNo: null,
      failReason: null,
      notFoundTimes: 0,
      checkerId: null,
      checkerName: null,
      opinion: null,
    });
    await reserve(ctx, payment, BigInt(refund.amountFen));
    return answer(ctx, moved);
  });

/** Asks the channel once. */
export const sync = (kernel: Kernel) =>
  procedure(queryRefundResult, async ({ refundId }, ctx) => {
    const seen = await refundRecords.get(ctx.db, ctx.staff, refundId);
    ctx.target({ type: refundRecords.type, id: refundId, no: seen.refundNo, looked: true });
    await limitRate(kernel.db, `invoice.askRefund.${refundId}`, { max: 1, seconds: SYNC_SECONDS }, ctx.now);
    if (seen.sentAt !== null) await askRefund(kernel, ctx, refundId);
    return answer(ctx, await refundRecords.get(ctx.db, ctx.staff, refundId));
  });

/** What the bank made of a transfer; the paper is looked at by another person. */
export const confirmOffline = (kernel: Kernel) =>
  command(confirmOfflineRefund, async ({ refundId, version, result, bankSerialNo, paidOn, voucherFileId, failReason }, ctx) => {
    const locked = await lockSeen(ctx, refundId, version, (row) => ({
      refundId: row.id,
      result: null,
      bankSerialNo: row.bankSerialNo ?? '',
      paidOn: row.paidOn,
      voucherFileId: row.voucherFileId,
      failReason: row.failReason ?? '',
    }));
    const { batch, refund } = locked;
    if (refund.way !== 'OFFLINE' || refund.status !== 'PROCESSING') throw wrongState(refund);
    if (result === 'FAILED') return answer(ctx, await fail(kernel, ctx, locked, 'returned', failReason ?? ''));
    if (paidOn === undefined || bankSerialNo === undefined || voucherFileId === undefined) throw refuseField('result', '请填写转账信息');
    const startedAt = batch?.startedAt ?? refund.createdAt;
    if (paidOn > ctx.today || startOfDay(paidOn, '23:59') < startedAt) throw refuseField('paidOn', '转账日期须在批次执行日与今天之间');
    const twice = await own(ctx.tx)
      .selectFrom('invoiceRefund')
      .select('refundNo')
      .where('bankSerialNo', '=', bankSerialNo)
      .where('status', 'in', ['CHECKING', 'SUCCESS'])
      .executeTakeFirst();
    if (twice) throw refuseField('bankSerialNo', `该流水号已登记在退款单${twice.refundNo}`);
    await attach(
      ctx.tx,
      {
        fileIds: [voucherFileId],
        purpose: REFUND_VOUCHER,
        ownerType: refundRecords.type,
        ownerId: refundId,
        field: 'voucher',
        userId: ctx.staff.userId,
      },
      ctx.now,
    );
    const moved = await moveRefund(ctx, refund, 'register', {
      paidOn,
      bankSerialNo,
      voucherFileId,
      voucherBy: ctx.staff.userId,
      voucherByName: ctx.staff.displayName,
      voucherCheckerId: null,
      voucherCheckerName: null,
    });
    return answer(ctx, moved);
  });

/** @throws Refusal SCM20003 for whoever asked for it or entered the transfer */
export const auditOffline = (kernel: Kernel) =>
  command(auditOfflineRefund, async ({ refundId, version, decision, opinion }, ctx) => {
    const locked = await lockSeen(ctx, refundId, version, (row) => ({ refundId: row.id, opinion: '' }));
    const { refund } = locked;
    if (decision === 'deny') {
      const nothing = { paidOn: null, bankSerialNo: null, voucherFileId: null, voucherBy: null, voucherByName: null };
      return answer(ctx, await moveRefund(ctx, refund, 'deny', nothing, opinion));
    }
    const checker = { voucherCheckerId: ctx.staff.userId, voucherCheckerName: ctx.staff.displayName };
    return answer(ctx, await succeed(kernel, ctx, locked, 'confirm', { ...checker, channelRefundNo: refund.bankSerialNo }, opinion));
  });

export const reveal = ({ secrets }: Kernel) =>
  command(revealRefundPayee, async ({ id }, ctx) => {
    const refund = await refundRecords.lock(ctx.tx, ctx.staff, id);
    ctx.target({ type: refundRecords.type, id, no: refund.refundNo, looked: true });
    return { value: refund.payeeAccountCipher === null ? null : secrets.decrypt(refund.payeeAccountCipher) };
  });
