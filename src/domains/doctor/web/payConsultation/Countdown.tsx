import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { ConsultOrderRow } from '../../contract/calls/consultOrders.ts';

/** What runs out next for an order: payment, acceptance or first reply. */
export function deadlineOf(
  row: Pick<ConsultOrderRow, 'state' | 'expireAt' | 'acceptDueAt' | 'replyDueAt' | 'firstReplyAt'>,
): { label: string; at: string } | null {
  if (row.state === 'WAIT_PAY') return { label: '支付', at: row.expireAt };
  if (row.state === 'PAID' && row.acceptDueAt !== null) return { label: '接诊', at: row.acceptDueAt };
  if (row.state === 'SERVING' && row.firstReplyAt === null && row.replyDueAt !== null) return { label: '首响', at: row.replyDueAt };
  return null;
}

/** Time left of what runs out next. */
export function Countdown({ row }: { row: Parameters<typeof deadlineOf>[0] }) {
  const deadline = deadlineOf(row);
  return deadline ? <TimeLeft at={deadline.at} label={deadline.label} /> : <>{NOTHING}</>;
}
