import { asSystem } from '#kernel/server/command/acting.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { PayChannelCode } from '#kernel/server/pay/port.ts';
import { own } from '../database.ts';
import { sendRefundKind } from './refundKind.ts';
import { settleRefund } from './refunds.ts';

/** The channel through which a payment came; null: it came by hand. */
export const channelOf = (channel: string): PayChannelCode | null => (channel === 'WECHAT' || channel === 'ALIPAY' ? channel : null);

/** Asks the channel for the money. The same number again is the same refund, so a repeated job does no harm. */
export async function askRefund(ctx: JobContext, refundId: string): Promise<void> {
  const refund = await own(ctx.db)
    .selectFrom('enrolmentContractRefund as r')
    .innerJoin('enrolmentContractPay as p', 'p.id', 'r.payId')
    .select(['r.refundNo', 'r.amountFen', 'r.reason', 'r.state', 'p.payNo', 'p.amountFen as totalFen', 'p.channel'])
    .where('r.id', '=', refundId)
    .where('r.state', 'in', ['PENDING', 'UNKNOWN'])
    .executeTakeFirst();
  const code = refund ? channelOf(refund.channel) : null;
  if (!refund || code === null) return;
  const channel = ctx.kernel.pay.channel(code);
  const answered = refund.state === 'UNKNOWN' ? await channel.queryRefund(refund.payNo, refund.refundNo) : null;
  const answer =
    answered ??
    (await channel.refund({
      tradeNo: refund.payNo,
      refundNo: refund.refundNo,
      amountFen: Number(refund.amountFen),
      totalFen: Number(refund.totalFen),
      reason: refund.reason,
    }));
  await ctx.transaction((writing) => settleRefund(ctx.kernel, asSystem(writing, ctx), refundId, answer));
}

export const sendContractRefund = job<{ refundId: string }>({
  ...sendRefundKind,
  run: ({ refundId }, ctx) => askRefund(ctx, refundId),
});
