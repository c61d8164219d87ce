import { Alert, Button } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { querySystemStatus, type SystemStatus } from '../../contract/calls/status.ts';
import { Mark } from '../shared/Mark.tsx';
import { Part } from './Part.tsx';
import { levels, rank, worst } from './show.ts';
import './status.css';

const EVERY_MS = 10_000;

/** What is amber or red, each in a few words, before anybody reads tables. */
function Summary({ parts }: Pick<SystemStatus, 'parts'>) {
  const wrong = parts.flatMap(({ title, figures, values }) =>
    figures.flatMap(({ metric, label }) => {
      const of = values.filter((one) => one.metric === metric && one.level !== 'NORMAL');
      if (of.length === 0) return [];
      const names = of.flatMap((one) => one.label ?? []);
      const which = names.length === 0 ? '' : `（${names.slice(0, 3).join('、')}${names.length > 3 ? `等${names.length}项` : ''}）`;
      return [{ key: metric, level: worst(of), text: `${title}：${label}${which}` }];
    }),
  );
  const inOrder = wrong.toSorted((a, b) => rank[a.level] - rank[b.level]);
  if (wrong.length === 0)
    return (
      <p className="id-status-summary">
        <Mark tone="success">正常</Mark> 所有指标都在正常范围内
      </p>
    );
  return (
    <ul className="id-status-summary" aria-label="需要关注">
      {inOrder.map(({ key, level, text }) => (
        <li key={key}>
          <Mark tone={levels[level].tone}>{levels[level].word}</Mark> {text}
        </li>
      ))}
    </ul>
  );
}

/** Parts of rows alone are long: what stands in tiles is above them. */
const longLast = (parts: SystemStatus['parts']) => {
  const isLong = ({ figures }: SystemStatus['parts'][number]) => figures.every(({ many }) => many);
  return [...parts.filter((part) => !isLong(part)), ...parts.filter(isLong)];
};

/** /systemStatus 系统状态: the figures of `/metrics` for those without Prometheus. */
export default function SystemStatusPage() {
  const query = useData(querySystemStatus, {}, { quiet: true, every: EVERY_MS });
  const { data, error, fetching, refetch } = query;
  if (!data) return <Waiting for={query} />;
  return (
    <div className="id-status">
      <header className="kq-detail-head">
        <h2>系统状态</h2>
        <div className="kq-detail-actions">
          <span className="kq-muted">数据时间 {showInstant(data.at)}，每10秒自动刷新</span>
          <Button size="small" loading={fetching} onClick={() => void refetch()}>
            刷新
          </Button>
        </div>
      </header>
      {error && (
        <Alert
          type="warning"
          showIcon
          title={`数据已过期：以下是 ${showInstant(data.at)} 的情况，之后未能刷新（${failureText(error)}）`}
          action={
            <Button size="small" loading={fetching} onClick={() => void refetch()}>
              重试
            </Button>
          }
        />
      )}
      <Summary parts={data.parts} />
      <div className={error ? 'id-status-parts id-status-stale' : 'id-status-parts'}>
        {longLast(data.parts).map((part) => (
          <Part key={part.title} part={part} />
        ))}
      </div>
    </div>
  );
}
