import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { queryAssistantSummary } from '../../contract/calls/assistants.ts';
import '../staffing/staffing.css';

const FOLLOW_MS = 60_000;

/** Numbers on top; a click on one filters the list by it. */
export function Summary() {
  const { path, search } = usePage();
  const { data, error, refetch } = useData(queryAssistantSummary, {}, { every: FOLLOW_MS, quiet: true });
  const average = data?.averageBp ?? 0;
  const cards: readonly { label: string; value: string | number | undefined; filter: Readonly<Record<string, string>> }[] = [
    { label: '在岗人数', value: data?.onDuty, filter: { state: 'ON_DUTY' } },
    { label: '平均负荷（点击查看70%以上）', value: data && `${Math.floor(average / 100)}%`, filter: { loadMin: '7000' } },
    { label: '超负荷人数', value: data?.overloaded, filter: { loadMin: '10000' } },
    { label: '无医助医生数', value: data?.withoutAssistant, filter: { unbound: '1' } },
  ];
  const isOn = (filter: Readonly<Record<string, string>>) =>
    Object.entries(filter).every(([key, value]) => String(search[key] ?? '') === value);
  return (
    <div className="st-cards">
      {cards.map(({ label, value, filter }) => (
        <button
          key={label}
          type="button"
          className="st-card"
          aria-pressed={isOn(filter)}
          onClick={() => goTo(path, isOn(filter) ? {} : filter, { replace: true })}
        >
          <span className="kq-muted">{label}</span>
          <b>{value ?? (error ? '—' : '…')}</b>
        </button>
      ))}
      {error && !data && (
        <p className="kq-muted st-wide">
          统计加载失败：{failureText(error)}{' '}
          <button type="button" className="kq-link" onClick={() => void refetch()}>
            重试
          </button>
        </p>
      )}
    </div>
  );
}
