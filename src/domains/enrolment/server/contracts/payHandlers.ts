import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { startOfDay } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { limitRate } from '#kernel/server/command/rateLimit.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, procedure } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import {
  addContractRefund,
  auditContractRefund,
  auditOfflinePay,
  registerOfflinePay,
  syncContractPay,
} from '../../contract/calls/contractPays.ts';
import { CONTRACT_PAY_PROOF } from '../../contract/contractPurposes.ts';
import { contractPayMachine, contractRefundMachine } from '../../contract/contractStates.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { contractRecords, payRecords, refundRecords } from './access.ts';
import { askPay } from './ask.ts';
import { movePay, settleByHand } from './pays.ts';
import { moveRefund, openRefund, refundSucceeded } from './refunds.ts';
import { calcOf } from './terminate.ts';
import { sendContractRefund, channelOf } from './sendRefund.ts';

const SYNC_SECONDS = 10;

/** Asks the channel once. */
export const sync = (kernel: Kernel) =>
  procedure(syncContractPay, async ({ payId }, ctx) => {
    const seen = await payRecords.get(ctx.db, ctx.staff, payId);
    ctx.target({ type: payRecords.type, id: payId, no: seen.payNo });
    await limitRate(kernel.db, `enrolment.syncPay.${payId}`, { max: 1, seconds: SYNC_SECONDS }, ctx.now);
    await askPay(kernel, ctx, payId);
    return actionAnswer(ctx, contractPayMachine, await payRecords.get(ctx.db, ctx.staff, payId));
  });

/** Contract before payment: everybody locks in this order. */
async function lockSeenPay(ctx: CommandContext, payId: string, version: number | null, view?: (row: { id: string }) => object) {
  const found = await payRecords.get(ctx.tx, ctx.staff, payId);
  const contract = await contractRecords.lock(ctx.tx, ctx.staff, found.contractId);
  return { contract, pay: await payRecords.lockVersion(ctx, payId, version, view) };
}

const proof = (ownerType: string, ownerId: string, fileId: string, userId: string) => ({
  fileIds: [fileId],
  purpose: CONTRACT_PAY_PROOF,
  ownerType,
  ownerId,
  field: 'proof',
  userId,
});

/** Somebody says that money came by hand; a second person looks at it. @throws Refusal SCM14050 for another sum than is due */
export const register = command(
  registerOfflinePay,
  async ({ payId, version, channel, amountFen, paidOn, payerName, bankSerialNo, proofFileId }, ctx) => {
    const { pay } = await lockSeenPay(ctx, payId, version, (row) => ({
      payId: row.id,
      channel: null,
      amountFen: null,
      paidOn: null,
      payerName: '',
      bankSerialNo: '',
      proofFileId: null,
    }));
    if (paidOn > ctx.today) throw refuseField('paidOn', '到账日期不能晚于今天');
    if (BigInt(amountFen) !== BigInt(pay.amountFen)) throw refuse(enrolmentErrors.AMOUNT_DIFFERS);
    if (pay.state === 'PENDING' || pay.state === 'UNKNOWN') throw refuse(enrolmentErrors.PAY_UNKNOWN);
    const known = await own(ctx.tx)
      .selectFrom('enrolmentContractPay')
      .select('payNo')
      .where('channel', '=', channel)
      .where('channelTradeNo', '=', bankSerialNo)
      .where('id', '<>', pay.id)
      .executeTakeFirst();
    if (known) throw refuseField('bankSerialNo', `该流水号已登记在支付单${known.payNo}`);
    await attach(ctx.tx, proof(payRecords.type, pay.id, proofFileId, ctx.staff.userId), ctx.now);
    const moved = await movePay(ctx, pay, 'register', {
      channel,
      channelTradeNo: bankSerialNo,
      payerName,
      paidAt: startOfDay(paidOn, '12:00'),
      proofFileId,
      makerId: ctx.staff.userId,
      makerName: ctx.staff.displayName,
      checkerId: null,
      checkerName: null,
    });
    return actionAnswer(ctx, contractPayMachine, moved);
  },
);

/** @throws Refusal SCM14053 for whoever entered it */
export const auditOffline = (kernel: Kernel) =>
  command(auditOfflinePay, async ({ payId, version, decision, opinion }, ctx) => {
    const { contract, pay } = await lockSeenPay(ctx, payId, version, (row) => ({ payId: row.id, opinion: '' }));
    if (decision === 'approve') return actionAnswer(ctx, contractPayMachine, await settleByHand(ctx, contract, pay, opinion));
    const back = { channel: kernel.pay.available[0] ?? ('OFFLINE' as const), channelTradeNo: null, paidAt: null, proofFileId: null };
    return actionAnswer(ctx, contractPayMachine, await movePay(ctx, pay, 'reject', back, opinion));
  });

export const addRefund = command(addContractRefund, async ({ payId, amountFen, reason }, ctx) => {
  const { contract, pay } = await lockSeenPay(ctx, payId, null);
  const calc = calcOf(contract, ctx.today, ctx.today);
  const row = await openRefund(ctx, contract, pay, {
    amountFen: BigInt(amountFen),
    calc: calc ?? {
      rule: 'FULL',
      paidFen: pay.amountFen,
      refundedFen: pay.refundedFen,
      totalDays: 0,
      usedDays: 0,
      refundFen: String(amountFen),
    },
    reason,
    maker: ctx.staff,
  });
  return actionAnswer(ctx, contractRefundMachine, row);
});

/** @throws Refusal SCM14053 for whoever asked for it; SCM90020 where money went back by hand and nobody says how */
export const auditRefund = command(
  auditContractRefund,
  async ({ refundId, version, decision, opinion, bankSerialNo, paidOn, proofFileId }, ctx) => {
    const found = await refundRecords.get(ctx.tx, ctx.staff, refundId);
    const contract = await contractRecords.lock(ctx.tx, ctx.staff, found.contractId);
    const pay = await payRecords.lock(ctx.tx, ctx.staff, found.payId);
    const refund = await refundRecords.lockVersion(ctx, refundId, version, (row) => ({ refundId: row.id, opinion: row.opinion ?? '' }));
    const checker = { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName, opinion: opinion === '' ? null : opinion };
    const moved = await moveRefund(ctx, refund, decision, checker, opinion);
    if (decision === 'reject') return actionAnswer(ctx, contractRefundMachine, moved);
    if (channelOf(pay.channel) !== null) {
      await ctx.enqueue(sendContractRefund, { refundId });
      return actionAnswer(ctx, contractRefundMachine, moved);
    }
    if (bankSerialNo === undefined) throw refuseField('bankSerialNo', '请填写打款流水号');
    if (paidOn === undefined) throw refuseField('paidOn', '请选择打款日期');
    if (paidOn > ctx.today) throw refuseField('paidOn', '打款日期不能晚于今天');
    if (proofFileId === undefined) throw refuseField('proofFileId', '请上传打款凭证');
    await attach(ctx.tx, proof(refundRecords.type, refund.id, proofFileId, ctx.staff.userId), ctx.now);
    const done = await refundSucceeded(
      ctx,
      { contract, pay, refund: moved },
      {
        channelRefundNo: bankSerialNo,
        refundedAt: startOfDay(paidOn, '12:00'),
        proofFileId,
      },
    );
    return actionAnswer(ctx, contractRefundMachine, done);
  },
);
