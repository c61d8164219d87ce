import { useEffect, useState } from 'react';
import { NOTHING } from '../../../../kernel/web/kit/values.tsx';
import type { ConsultOrderRow } from '../../contract/consultOrderCalls.ts';

const SECOND_MS = 1_000;
const two = (n: number) => String(n).padStart(2, '0');

/** What runs out next for an order: payment, acceptance or first reply. */
export function deadlineOf(
  row: Pick<ConsultOrderRow, 'state' | 'expireAt' | 'acceptDueAt' | 'replyDueAt' | 'firstReplyAt'>,
): { label: string; at: string } | null {
  if (row.state === 'WAIT_PAY') return { label: '支付', at: row.expireAt };
  if (row.state === 'PAID' && row.acceptDueAt !== null) return { label: '接诊', at: row.acceptDueAt };
  if (row.state === 'SERVING' && row.firstReplyAt === null && row.replyDueAt !== null) return { label: '首响', at: row.replyDueAt };
  return null;
}

/** Time left, second by second; red once it is over. */
export function Countdown({ row }: { row: Parameters<typeof deadlineOf>[0] }) {
  const [now, setNow] = useState(() => Date.now());
  const deadline = deadlineOf(row);
  const runs = deadline !== null;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [runs]);
  if (!deadline) return <>{NOTHING}</>;
  const left = Math.round((Date.parse(deadline.at) - now) / SECOND_MS);
  const seconds = Math.abs(left);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return (
    <span className={left < 0 ? 'kq-danger kq-number' : 'kq-number'}>
      {deadline.label} {left < 0 ? `超时 ${clock}` : clock}
    </span>
  );
}
