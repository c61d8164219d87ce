import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { queryLoginFailureTrend } from '../../contract/calls/logs.ts';
import './log.css';

const HEIGHT = 26;
const BAR = 14;
const STEP = 18;

/** 近7天失败次数 as bars of one line; the numbers of a day are told on hover. */
export function FailureChart() {
  const { data, error } = useData(queryLoginFailureTrend, {}, { quiet: true, fresh: 60_000 });
  if (error) return <p className="kq-muted">近7天失败次数加载失败：{failureText(error)}</p>;
  const days = data ?? [];
  const most = Math.max(1, ...days.map((day) => day.failed));
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const ok = days.reduce((sum, day) => sum + day.ok, 0);
  return (
    <div className="id-chart">
      <span>近7天</span>
      <svg viewBox={`0 0 ${STEP * 7} ${HEIGHT}`} role="img" aria-label={`近7天登录失败${failed}次`}>
        {days.map((day, index) => {
          const height = Math.max(2, (day.failed / most) * HEIGHT);
          return (
            <g key={day.day}>
              <title>{`${day.day.slice(0, 10)}：失败${day.failed}次，成功${day.ok}次`}</title>
              <rect className={day.failed ? '' : 'id-none'} x={STEP * index} y={HEIGHT - height} width={BAR} height={height} rx="1" />
            </g>
          );
        })}
      </svg>
      <span className="kq-muted">
        失败{failed}次，成功{ok}次
      </span>
    </div>
  );
}
