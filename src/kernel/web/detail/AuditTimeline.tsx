import type { Instant } from '../../contract/time.ts';
import { showInstant } from '../../contract/time.ts';
import type { Dictionary } from '../../contract/dictionary.ts';
import { plainText } from '../kit/plainText.ts';
import { TableEmpty } from '../kit/TableState.tsx';
import { Dict, NOTHING } from '../kit/values.tsx';

/** One transition, as the kernel's audit trail answers it. */
export interface TrailRow {
  id: string;
  at: Instant;
  displayName: string;
  opNo?: string | null;
  action: string;
  fromState: string | null;
  toState: string;
  opinion?: string | null;
  differences?: readonly { label: string; before: unknown; after: unknown }[];
}

/** What a timeline needs of a state machine. */
export interface TimelineMachine {
  dictionary: Pick<Dictionary, 'label' | 'tone'>;
  transitions: Readonly<Record<string, { label: string }>>;
}

const show = (value: unknown): string => plainText(value) || NOTHING;

/** Who did what, when, from which state to which, with which opinion and changes; newest first. */
export function AuditTimeline({ rows, machine }: { rows: readonly TrailRow[] | undefined; machine: TimelineMachine }) {
  if (!rows?.length) return <TableEmpty loading={rows === undefined}>暂无操作记录</TableEmpty>;
  return (
    <ol className="kq-timeline">
      {rows.map((row) => (
        <li key={row.id} data-tone={machine.dictionary.tone(row.toState)}>
          <div>
            <b>{machine.transitions[row.action]?.label ?? row.action}</b>{' '}
            {row.fromState && row.fromState !== row.toState && (
              <>
                <Dict of={machine.dictionary} code={row.fromState} plain /> →{' '}
              </>
            )}
            <Dict of={machine.dictionary} code={row.toState} />
          </div>
          <div className="kq-muted">
            {row.displayName}
            {row.opNo && `（${row.opNo}）`} · {showInstant(row.at)}
          </div>
          {row.opinion && <blockquote className="kq-opinion">{row.opinion}</blockquote>}
          {row.differences?.map((difference) => (
            <div key={difference.label} className="kq-difference">
              {difference.label}：{show(difference.before)} → {show(difference.after)}
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
