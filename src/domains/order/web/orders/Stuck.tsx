import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { OrderRow } from '../../contract/calls/orders.ts';
import { waitingParties } from '../../contract/rules/waiting.ts';

type Step = Pick<OrderRow, 'waitingFor' | 'stepDue' | 'holder'>;
const partyText = ({ waitingFor, holder }: Step): string =>
  waitingFor === null ? '' : `${waitingParties.label(waitingFor)}${holder === null ? '' : `（${holder}）`}`;

/** What the cell shows, for the width of its column. */
export const stuckText = (row: Step): string => `${partyText(row)}${row.stepDue === null ? '' : ' 超时 00:00:00'}`;

/** Whom an order waits for, and for how long still. */
export function Stuck({ row }: { row: Step }) {
  if (row.waitingFor === null) return <span className="kq-muted">{NOTHING}</span>;
  return (
    <span>
      {partyText(row)} {row.stepDue !== null && <TimeLeft at={row.stepDue} />}
    </span>
  );
}
