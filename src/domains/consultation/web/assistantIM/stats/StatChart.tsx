import type { StatRow } from '../../../contract/calls/stats.ts';

interface ChartProps {
  rows: readonly StatRow[];
  metric: { key: keyof StatRow; label: string; show(row: StatRow): string | number };
}

const HEIGHT = 150;
const WIDTH = 1000;

/** One figure as bars; a row without any has none. */
export function StatChart({ rows, metric }: ChartProps) {
  const values = rows.map((row) => (typeof row[metric.key] === 'number' ? (row[metric.key] as number) : null));
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = WIDTH / rows.length;
  const every = Math.ceil(rows.length / 14);
  return (
    <svg
      className="im-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT + 40}`}
      role="img"
      aria-label={`${metric.label}：${rows.map((row) => `${row.label} ${metric.show(row)}`).join('，')}`}
    >
      <line x1="0" y1={HEIGHT + 14} x2={WIDTH} y2={HEIGHT + 14} />
      {rows.map((row, index) => {
        const value = values[index];
        const height = value === null || value === undefined ? 0 : (value / most) * (HEIGHT - 10);
        const x = index * step + step / 2;
        return (
          <g key={row.key}>
            <title>{`${row.label}：${metric.show(row)}`}</title>
            <rect x={x - Math.min(24, step / 3)} y={HEIGHT + 14 - height} width={Math.min(48, (step / 3) * 2)} height={height} rx="2" />
            {rows.length <= 31 && value !== null && (
              <text x={x} y={HEIGHT + 8 - height}>
                {metric.show(row)}
              </text>
            )}
            {index % every === 0 && (
              <text x={x} y={HEIGHT + 32} className="im-axis">
                {row.label.length > 8 ? row.label.slice(-5) : row.label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
