import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { refundReasons } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';
import { channelOf } from '../orders/access.ts';
import { settleRefund } from './settle.ts';

/** One refund that is on its way, as the channel needs it. */
export const refundOnWay = (ctx: Pick<JobContext, 'db'>, refundId: string) =>
  own(ctx.db)
    .selectFrom('doctorConsultRefund as r')
    .innerJoin('doctorConsultOrder as o', 'o.id', 'r.orderId')
    .select(['r.id', 'r.refundNo', 'r.amountFen', 'r.reason', 'r.state', 'o.orderNo', 'o.payFen', 'o.payChannel'])
    .where('r.id', '=', refundId)
    .where('r.state', 'in', ['PENDING', 'UNKNOWN'])
    .executeTakeFirst();

/** Asks the channel for the money. The same number again is the same refund, so a repeated job does no harm. */
export async function askRefund(ctx: JobContext, refundId: string): Promise<void> {
  const refund = await refundOnWay(ctx, refundId);
  if (!refund) return;
  const channel = ctx.kernel.pay.channel(channelOf(refund));
  const known = refund.state === 'UNKNOWN' ? await channel.queryRefund(refund.orderNo, refund.refundNo) : null;
  const answer =
    known ??
    (await channel.refund({
      tradeNo: refund.orderNo,
      refundNo: refund.refundNo,
      amountFen: Number(refund.amountFen),
      totalFen: Number(refund.payFen),
      reason: refundReasons.label(refund.reason),
    }));
  await ctx.transaction((writing) => settleRefund(ctx.kernel, asSystem(writing, ctx), refundId, answer));
}

export const sendRefund = job<{ refundId: string }>({
  name: 'doctor.sendConsultRefund',
  label: '咨询退款',
  retryLimit: 8,
  subject: ({ refundId }) => refundId,
  run: ({ refundId }, ctx) => askRefund(ctx, refundId),
});
