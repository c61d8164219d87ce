import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { refundFailed } from '#events/invoice.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import type { RefundRecord } from '../access.ts';

const linkOf = (refundNo: string) => `/invoice?tab=refunds&refundNo=${refundNo}`;

/** What order and cause a refund belongs to, for those who asked for it. */
export const eventOf = ({ refundNo, sourceType, sourceId, amountFen }: RefundRecord) => ({
  refundNo,
  sourceType,
  sourceId,
  amount: Number(amountFen),
});

/** The to-do of a refund whose outcome is open for a day. */
export const lateRefund = ({ id, refundNo }: Pick<RefundRecord, 'id' | 'refundNo'>) => ({
  businessKey: `invoice.refund.unknown.${id}`,
  name: `退款单${refundNo}`,
  link: linkOf(refundNo),
  permission: may['refund.make'],
});

/** Whoever asked for a refund hears that it failed, and who makes refunds is to go on with it. */
export async function publishFailed(kernel: Pick<Kernel, 'ports'>, ctx: Acting, refund: RefundRecord, reason: string): Promise<void> {
  await kernel.ports.notices.addAlert(
    ctx.tx,
    {
      businessKey: `invoice.refund.failed.${refund.id}.${refund.attempt}`,
      title: '订单退款失败',
      body: `退款单${refund.refundNo}：${reason}`,
      link: linkOf(refund.refundNo),
      permission: may['refund.make'].code,
    },
    ctx.now,
  );
  await ctx.publish(refundFailed, refund.id, { ...eventOf(refund), reason });
}
