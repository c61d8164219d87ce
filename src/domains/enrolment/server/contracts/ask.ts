import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db } from '#kernel/server/context.ts';
import { addLateTodo, known, stillOpen } from '#kernel/server/money/inquiry.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Payee } from '#kernel/server/pay/desk.ts';
import { PayError, type Trade } from '#kernel/server/pay/port.ts';
import { payPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { lateKey, lockPay, movePay, notePay, openPay, takePayment } from './pays.ts';
import { moveContract } from './move.ts';
import { publishCancelled } from './publish.ts';
import { channelOf } from './sendRefund.ts';

export interface Asking {
  db: Db;
  /** Opens a transaction in which whoever asks acts. */
  transaction<T>(work: (ctx: Acting) => Promise<T>): Promise<T>;
}

/** What a channel said of a payment that is not paid. */
async function noteUnpaid(kernel: Kernel, ctx: Acting, payId: string, state: Trade['state']): Promise<void> {
  const locked = await lockPay(ctx.tx, { id: payId });
  if (!locked) return;
  const { contract, pay } = locked;
  if (pay.state !== 'PENDING' && pay.state !== 'UNKNOWN') return;
  if (state === 'UNKNOWN' || state === 'PAID') {
    const open = stillOpen(pay.unknownSince, ctx.now);
    if (pay.state === 'PENDING') await movePay(ctx, pay, 'lose', { askedAt: ctx.now, ...open });
    else await notePay(ctx, pay, { askedAt: ctx.now, ...open });
    const link = `/signContractPayDetail?contractId=${contract.id}`;
    const late = { businessKey: lateKey(pay.id), name: `签约支付${pay.payNo}`, link, permission: payPermissions['pay.refundAudit'] };
    return addLateTodo(kernel, ctx.tx, open, late, ctx.now);
  }
  if (pay.unknownSince !== null) await kernel.ports.notices.closeTodo(ctx.tx, lateKey(pay.id), ctx.now);
  if (state === 'FAILED') {
    await movePay(ctx, pay, 'fail', { askedAt: ctx.now, ...known });
    // The payer may try again: another payment of the same contract.
    if (contract.state === 'WAIT_PAY' && pay.expireAt > ctx.now) await openPay(kernel, ctx, contract);
    return;
  }
  if (pay.state === 'UNKNOWN') await movePay(ctx, pay, 'found', { askedAt: ctx.now, ...known });
  else await notePay(ctx, pay, { askedAt: ctx.now });
}

/** Asks the channel, outside any transaction, and brings its answer in. Whoever never opened the payment page has paid nothing. */
export async function askPay(kernel: Kernel, asking: Asking, payId: string): Promise<Trade['state']> {
  const pay = await own(asking.db)
    .selectFrom('enrolmentContractPay')
    .select(['payNo', 'channel', 'state'])
    .where('id', '=', payId)
    .executeTakeFirstOrThrow();
  const code = channelOf(pay.channel);
  if (code === null || (pay.state !== 'PENDING' && pay.state !== 'UNKNOWN')) return 'WAITING';
  const trade = await kernel.pay.channel(code).query(pay.payNo);
  const { state, channelTradeNo, amountFen, paidAt } = trade;
  await asking.transaction(async (ctx) => {
    if (state === 'PAID' && channelTradeNo !== null && amountFen !== null && paidAt !== null)
      await takePayment(kernel, ctx, pay.payNo, { channel: code, channelTradeNo, amountFen, paidAt }, 'QUERY');
    else await noteUnpaid(kernel, ctx, payId, state);
  });
  return state;
}

/** The time of a payment is over: the channel is asked and told that nobody can pay any more, then the contract is cancelled. */
export async function expirePay(kernel: Kernel, asking: Asking, payId: string): Promise<void> {
  const state = await askPay(kernel, asking, payId);
  if (state === 'UNKNOWN') return;
  const pay = await own(asking.db)
    .selectFrom('enrolmentContractPay')
    .select(['payNo', 'channel', 'state'])
    .where('id', '=', payId)
    .executeTakeFirstOrThrow();
  if (pay.state !== 'INIT' && pay.state !== 'PENDING' && pay.state !== 'FAILED') return;
  const code = channelOf(pay.channel);
  if (code !== null && pay.state === 'PENDING') {
    try {
      await kernel.pay.channel(code).close(pay.payNo);
    } catch (error) {
      if (!(error instanceof PayError)) throw error;
      kernel.log.warn({ error: error.message, payNo: pay.payNo }, 'a payment could not be closed');
      return;
    }
  }
  await asking.transaction(async (ctx) => {
    const locked = await lockPay(ctx.tx, { id: payId });
    if (!locked || locked.pay.state !== pay.state || locked.contract.state !== 'WAIT_PAY') return;
    if (pay.state !== 'FAILED') await movePay(ctx, locked.pay, 'close');
    const moved = await moveContract(ctx, locked.contract, 'cancelBySystem', { cancelReason: 'UNPAID' });
    await publishCancelled(ctx, moved);
  });
}

/** Fees of contracts: what the payer finds behind his link, and what a channel's notice does. */
export const contractPayee = (kernel: Kernel): Payee => {
  const acting = (writing: Parameters<Parameters<Kernel['transactions']['run']>[1]>[0]) =>
    asSystem(writing, { now: kernel.clock.now(), traceId: 'pay' });
  return {
    prefix: 'QY',
    open: (payNo) =>
      kernel.transactions.run('pay', async (writing) => {
        const ctx = acting(writing);
        const locked = await lockPay(ctx.tx, { payNo });
        if (!locked) return null;
        const { contract, pay } = locked;
        const subject = `${contract.productName}服务费（合同${contract.contractNo}）`;
        if (pay.state === 'SUCCESS') return { state: 'PAID', subject };
        const code = channelOf(pay.channel);
        const isOpen = pay.state === 'INIT' || pay.state === 'PENDING' || pay.state === 'UNKNOWN';
        if (!isOpen || code === null || pay.expireAt <= ctx.now) return { state: 'OVER', subject };
        // From here on only the channel knows whether somebody pays.
        if (pay.state === 'INIT') await movePay(ctx, pay, 'open');
        return {
          state: 'OPEN',
          channel: code,
          order: { tradeNo: pay.payNo, amountFen: Number(pay.amountFen), subject, expireAt: pay.expireAt },
        };
      }),
    paid: async (code, { tradeNo, channelTradeNo, amountFen, paidAt }) =>
      void (await kernel.transactions.run('pay', (writing) =>
        takePayment(kernel, acting(writing), tradeNo, { channel: code, channelTradeNo, amountFen, paidAt }, 'NOTICE'),
      )),
  };
};
