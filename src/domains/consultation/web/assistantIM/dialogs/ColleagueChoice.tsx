import { useData } from '#kernel/web/http/queries.ts';
import { queryDutyBoard } from '../../../contract/calls/queue.ts';
import { dutyStates } from '../../../contract/dictionaries.ts';
import { Failed } from '../Failed.tsx';

interface ChoiceProps {
  value?: string;
  onChange?(value: string): void;
  without?: string | null;
  /** Others can be seen but not chosen. */
  onlyOn?: boolean;
}

const ORDER = ['ON', 'BUSY', 'AWAY', 'OFF'];

/** Assistants with duty and load, those on duty with a free place first. */
export function ColleagueChoice({ value, onChange, without, onlyOn = false }: ChoiceProps) {
  const { data, error, refetch } = useData(queryDutyBoard, {}, { quiet: true });
  if (error) return <Failed what="医助列表" error={error} onRetry={() => refetch()} />;
  if (!data) return <p className="kq-muted">加载中…</p>;
  const list = data
    .filter(({ assistantId }) => assistantId !== without)
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.serving * b.maxConcurrent - b.serving * a.maxConcurrent);
  if (list.length === 0) return <p className="kq-muted">没有其他医助</p>;
  return (
    <div className="im-colleagues" role="radiogroup" aria-label="医助">
      {list.map((colleague) => (
        <label key={colleague.assistantId} className={onlyOn && colleague.state !== 'ON' ? 'im-off' : undefined}>
          <input
            type="radio"
            name="colleague"
            checked={value === colleague.assistantId}
            disabled={onlyOn && colleague.state !== 'ON'}
            onChange={() => onChange?.(colleague.assistantId)}
          />
          <b>{colleague.name}</b>
          <span className={`kq-dict kq-dict-${dutyStates.tone(colleague.state)}`}>{dutyStates.label(colleague.state)}</span>
          <span className={colleague.serving >= colleague.maxConcurrent ? 'kq-danger kq-number' : 'kq-number'}>
            {colleague.serving}/{colleague.maxConcurrent}
          </span>
        </label>
      ))}
    </div>
  );
}
