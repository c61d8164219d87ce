import type { OutputOf } from '#kernel/contract/call.ts';
import { dayOf, daysBetween, plusDays, showInstant } from '#kernel/contract/time.ts';
import type { queryIndicatorTrend } from '../../contract/calls/ehr.ts';
import { indicatorFlags } from '../../contract/dictionaries.ts';
import { unitText } from '../rows/texts.ts';

type Answer = OutputOf<typeof queryIndicatorTrend>;

const WIDTH = 860;
const HEIGHT = 190;
const LEFT = 48;
const RIGHT = 16;
const TOP = 24;
const BOTTOM = 40;
const TICKS = 5;
const colours: Readonly<Record<string, string>> = {
  L: 'var(--kq-warning)',
  H: 'var(--kq-warning)',
  C: 'var(--kq-error)',
  N: 'var(--kq-primary)',
};

/** Bounds of the scale: all points and the reference band, with some air. */
function boundsOf(values: readonly number[]): { low: number; high: number } {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const air = (high - low || Math.abs(high) || 1) * 0.15;
  return { low: low >= 0 ? Math.max(0, low - air) : low - air, high: high + air };
}

/** One value's course over its reference band; marks below say when medicines began and ended. */
export function TrendChart({
  series,
  touches,
  from,
  to,
}: {
  series: Answer['series'][number];
  touches: Answer['touches'];
  from: string;
  to: string;
}) {
  const title = `${series.name}（${unitText(series.unit)}）`;
  if (series.points.length === 0) return <p className="pa-empty">{title}：该时段没有数值</p>;
  const refs = [series.refLow, series.refHigh].filter((one): one is string => one !== null).map(Number);
  const { low, high } = boundsOf([...series.points.map(({ value }) => Number(value)), ...refs]);
  const days = Math.max(1, daysBetween(from, to));
  const x = (day: string) => LEFT + (Math.min(days, Math.max(0, daysBetween(from, day))) / days) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const bandTop = series.refHigh === null ? TOP : y(Number(series.refHigh));
  const bandBottom = series.refLow === null ? HEIGHT - BOTTOM : y(Number(series.refLow));
  const points = [...series.points].sort((a, b) => a.at.localeCompare(b.at));
  const decimals = high - low < 10 ? 1 : 0;
  return (
    <figure style={{ margin: '0 0 8px' }}>
      <svg className="pa-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}趋势，${points.length}个数值`}>
        <text x={LEFT} y={14} style={{ fill: 'var(--kq-ink)', fontSize: 13 }}>
          {title}
        </text>
        {refs.length > 0 && (
          <rect
            x={LEFT}
            y={bandTop}
            width={WIDTH - LEFT - RIGHT}
            height={Math.max(1, bandBottom - bandTop)}
            fill="var(--kq-success)"
            opacity="0.12"
          >
            <title>{`参考范围 ${series.refLow ?? '—'}～${series.refHigh ?? '—'}`}</title>
          </rect>
        )}
        {[low, (low + high) / 2, high].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} stroke="var(--kq-line-soft)" />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {value.toFixed(decimals)}
            </text>
          </g>
        ))}
        {Array.from({ length: TICKS }, (_, index) => plusDays(from, Math.round((days * index) / (TICKS - 1)))).map((day, index) => (
          <text key={day} x={x(day)} y={HEIGHT - 4} textAnchor={index === 0 ? 'start' : index === TICKS - 1 ? 'end' : 'middle'}>
            {day}
          </text>
        ))}
        {touches
          .filter(({ on }) => on >= from && on <= to)
          .map((touch, index) => (
            <g key={`${touch.on}${touch.label}${index}`}>
              <line
                x1={x(touch.on)}
                x2={x(touch.on)}
                y1={TOP}
                y2={HEIGHT - BOTTOM + 4}
                stroke={touch.kind === 'START' ? 'var(--kq-info)' : 'var(--kq-faint)'}
                strokeDasharray="3 3"
              />
              <text
                x={x(touch.on)}
                y={HEIGHT - BOTTOM + 16}
                textAnchor="middle"
                style={{ fill: touch.kind === 'START' ? 'var(--kq-info)' : 'var(--kq-muted)' }}
              >
                {touch.kind === 'START' ? '▲' : '▼'}
                <title>{`${touch.on} ${touch.kind === 'START' ? '开始' : '停止'} ${touch.label}`}</title>
              </text>
            </g>
          ))}
        <polyline
          fill="none"
          stroke="var(--kq-primary)"
          strokeWidth="2"
          points={points.map((point) => `${x(dayOf(point.at))},${y(Number(point.value))}`).join(' ')}
        />
        {points.map((point, index) => (
          <g key={index}>
            <circle
              cx={x(dayOf(point.at))}
              cy={y(Number(point.value))}
              r="4"
              fill={point.source === 'PATIENT' ? 'var(--kq-surface)' : (colours[point.flag] ?? 'var(--kq-primary)')}
              stroke={colours[point.flag] ?? 'var(--kq-primary)'}
              strokeWidth="2"
            >
              <title>
                {`${showInstant(point.at)}　${point.value} ${series.unit}　${indicatorFlags.label(point.flag)}` +
                  (point.source === 'PATIENT' ? '　患者自报' : '')}
              </title>
            </circle>
            {points.length <= 12 && (
              <text x={x(dayOf(point.at))} y={y(Number(point.value)) - 8} textAnchor="middle">
                {point.value}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  );
}
