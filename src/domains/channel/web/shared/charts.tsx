import type { Series } from '../../contract/calls/shared.ts';
import './channel.css';

const WIDTH = 640;
const HEIGHT = 180;
const LEFT = 36;
const BOTTOM = 20;
const TOP = 10;

export interface Line {
  label: string;
  colour: string;
  values: readonly number[];
}

/** Lines over the same points; the numbers of a point are told on hover. */
export function LineChart({ lines, labels }: { lines: readonly Line[]; labels: readonly string[] }) {
  const most = Math.max(4, ...lines.flatMap(({ values }) => values));
  const x = (index: number) => LEFT + (labels.length < 2 ? 0 : (index * (WIDTH - LEFT - 8)) / (labels.length - 1));
  const y = (value: number) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
  const every = Math.max(1, Math.ceil(labels.length / 8));
  return (
    <figure style={{ margin: 0 }}>
      <svg className="ch-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={lines.map(({ label }) => label).join('、')}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1={LEFT} x2={WIDTH - 8} y1={y(most * part)} y2={y(most * part)} stroke="var(--kq-line)" />
            <text x={LEFT - 6} y={y(most * part) + 3} textAnchor="end">
              {Math.round(most * part)}
            </text>
          </g>
        ))}
        {lines.map(({ label, colour, values }) => (
          <polyline
            key={label}
            fill="none"
            stroke={colour}
            strokeWidth="2"
            points={values.map((value, index) => `${x(index)},${y(value)}`).join(' ')}
          />
        ))}
        {labels.map((label, index) => (
          <g key={label}>
            {index % every === 0 && (
              <text x={x(index)} y={HEIGHT - 4} textAnchor="middle">
                {label}
              </text>
            )}
            <rect x={x(index) - 4} y={TOP} width="8" height={HEIGHT - TOP - BOTTOM} fill="transparent">
              <title>{`${label}  ${lines.map((line) => `${line.label} ${line.values[index] ?? 0}`).join('  ')}`}</title>
            </rect>
          </g>
        ))}
      </svg>
      <figcaption className="kq-muted">
        {lines.map(({ label, colour }) => (
          <span key={label} style={{ marginInlineEnd: 16 }}>
            <span style={{ color: colour }}>●</span> {label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** PV, UV and new visitors by day. */
export function ScanLines({ series }: { series: Series }) {
  return (
    <LineChart
      labels={series.map(({ label }) => label)}
      lines={[
        { label: '扫码次数', colour: '#3a7bd5', values: series.map(({ pv }) => pv) },
        { label: '扫码人数', colour: '#0b7a68', values: series.map(({ uv }) => uv) },
        { label: '新访客', colour: '#d9822b', values: series.map(({ newUv }) => newUv) },
      ]}
    />
  );
}

/** Stages with what is left of the first one. */
export function Funnel({ stages }: { stages: readonly { label: string; value: number }[] }) {
  const first = Math.max(1, stages[0]?.value ?? 1);
  return (
    <div className="ch-funnel">
      {stages.map(({ label, value }) => (
        <div key={label}>
          <span>{label}</span>
          <i style={{ width: `${Math.min(100, (value / first) * 100)}%` }} />
          <span className="kq-number">
            {value}（{((value / first) * 100).toFixed(1)}%）
          </span>
        </div>
      ))}
    </div>
  );
}

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'];

/** Scans by weekday and hour. */
export function HourHeat({ hours }: { hours: readonly { weekday: number; hour: number; pv: number }[] }) {
  const most = Math.max(1, ...hours.map(({ pv }) => pv));
  const at = new Map(hours.map(({ weekday, hour, pv }) => [`${weekday}/${hour}`, pv]));
  return (
    <div className="ch-heat" role="img" aria-label="按星期与小时的扫码次数">
      {WEEKDAYS.map((name, index) => [
        <span key={name}>周{name}</span>,
        ...Array.from({ length: 24 }, (_, hour) => {
          const pv = at.get(`${index + 1}/${hour}`) ?? 0;
          return <i key={`${name}${hour}`} title={`周${name} ${hour}时：${pv}次`} style={{ opacity: 0.08 + (pv / most) * 0.92 }} />;
        }),
      ])}
      <span />
      {Array.from({ length: 24 }, (_, hour) => (
        <span key={hour}>{hour % 3 === 0 ? hour : ''}</span>
      ))}
    </div>
  );
}

/** Parts of a whole. */
export function Shares({
  title,
  parts,
  labelOf,
}: {
  title: string;
  parts: readonly { key: string; value: number }[];
  labelOf(key: string): string;
}) {
  const all = Math.max(
    1,
    parts.reduce((sum, { value }) => sum + value, 0),
  );
  return (
    <section>
      <h4>{title}</h4>
      {parts.length === 0 && <p className="kq-muted">暂无数据</p>}
      {parts.map(({ key, value }) => (
        <div key={key} className="ch-share">
          <span>{labelOf(key)}</span>
          <i style={{ width: `${(value / all) * 100}%` }} />
          <span className="kq-number">
            {value}（{((value / all) * 100).toFixed(1)}%）
          </span>
        </div>
      ))}
    </section>
  );
}
