import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { queryLoginFailureTrend } from '../../contract/calls/logs.ts';
import './log.css';

const WIDTH = 460;
const HEIGHT = 112;
const BASE = 92;
const TOP = 16;
const BAR = 34;

/** 近7天失败次数 as bars; the successes of the day are told on hover. */
export function FailureChart() {
  const { data, error } = useData(queryLoginFailureTrend, {}, { quiet: true, fresh: 60_000 });
  if (error) return <p className="kq-muted">近7天失败次数加载失败：{failureText(error)}</p>;
  const days = data ?? [];
  const most = Math.max(1, ...days.map((day) => day.failed));
  const step = WIDTH / Math.max(1, days.length);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const ok = days.reduce((sum, day) => sum + day.ok, 0);
  return (
    <div className="id-chart">
      <div>
        <h4>近7天失败次数</h4>
        <div className="kq-muted">
          失败{failed}次，成功{ok}次
        </div>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`近7天登录失败${failed}次`}>
        <line x1="0" x2={WIDTH} y1={BASE + 0.5} y2={BASE + 0.5} stroke="var(--kq-line)" />
        {days.map((day, index) => {
          const height = (day.failed / most) * (BASE - TOP);
          const middle = step * (index + 0.5);
          return (
            <g key={day.day}>
              <title>{`${day.day.slice(0, 10)}：失败${day.failed}次，成功${day.ok}次`}</title>
              <rect
                className={day.failed ? '' : 'id-none'}
                x={middle - BAR / 2}
                y={BASE - Math.max(2, height)}
                width={BAR}
                height={Math.max(2, height)}
                rx="2"
              />
              <text className="id-count" x={middle} y={BASE - Math.max(2, height) - 4}>
                {day.failed}
              </text>
              <text x={middle} y={HEIGHT - 4}>
                {day.day.slice(5, 10)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
