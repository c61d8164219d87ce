import type * as z from 'zod/mini';
import { showInstant } from '../../contract/time.ts';
import type { trailEntry } from '../../contract/trail.ts';
import type { Dictionary } from '../../contract/dictionary.ts';
import { plainText } from '../kit/plainText.ts';
import { TableEmpty, TableFailure } from '../kit/TableState.tsx';
import { Dict, NOTHING } from '../kit/values.tsx';

/** One transition, as the kernel's audit trail answers it. */
export type TrailRow = z.output<typeof trailEntry>;

/** What a timeline needs of a state machine. */
export interface TimelineMachine {
  dictionary: Pick<Dictionary, 'label' | 'tone'>;
  transitions: Readonly<Record<string, { label: string }>>;
}

const show = (value: unknown): string => plainText(value) || NOTHING;

/** Newest first, however they came; what happened at once goes by its number. */
export const newestFirst = (rows: readonly TrailRow[]): TrailRow[] =>
  rows.toSorted((a, b) => (a.at === b.at ? b.id.localeCompare(a.id, 'en', { numeric: true }) : a.at < b.at ? 1 : -1));

interface AuditTimelineProps {
  /** Undefined until they are read. */
  rows: readonly TrailRow[] | undefined;
  machine: TimelineMachine;
  /** Where the rows are read by themselves: why they could not be, and the way to try again. */
  error?: unknown;
  onRetry?(): void;
}

/** Who did what, when, from which state to which, with which opinion and changes; newest first. */
export function AuditTimeline({ rows, machine, error, onRetry }: AuditTimelineProps) {
  if (error && rows === undefined) return <TableFailure error={error} onRetry={onRetry} />;
  if (!rows?.length) return <TableEmpty loading={rows === undefined}>暂无操作记录</TableEmpty>;
  return (
    <ol className="kq-timeline">
      {newestFirst(rows).map((row) => {
        const state = row.toState ?? row.fromState ?? '';
        return (
          <li key={row.id} data-tone={machine.dictionary.tone(state)}>
            <div>
              <b>{machine.transitions[row.action]?.label ?? row.label}</b>{' '}
              {row.fromState && row.fromState !== state && (
                <>
                  <Dict of={machine.dictionary} code={row.fromState} plain /> →{' '}
                </>
              )}
              {state && <Dict of={machine.dictionary} code={state} />}
            </div>
            <div className="kq-muted">
              {row.displayName}
              {row.opNo && `（${row.opNo}）`} · {showInstant(row.at)}
            </div>
            {row.opinion && <blockquote className="kq-opinion">{row.opinion}</blockquote>}
            {row.diff.map((difference) => (
              <div key={difference.label} className="kq-difference">
                {difference.label}：{show(difference.before)} → {show(difference.after)}
              </div>
            ))}
          </li>
        );
      })}
    </ol>
  );
}
