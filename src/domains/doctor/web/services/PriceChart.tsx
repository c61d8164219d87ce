import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { openingPriceSources } from '../../contract/dictionaries.ts';
import type { Band } from '../../contract/rules/price.ts';

interface PriceChartProps {
  prices: readonly { id: string; priceFen: number; source: string; reason: string; at: string; byName: string }[];
  band: Band | null;
}

const WIDTH = 560;
const HEIGHT = 140;
const LEFT = 52;
const BOTTOM = 18;
const TOP = 8;

/** Prices as steps over time, inside the present band; each point tells its change. */
export function PriceChart({ prices, band }: PriceChartProps) {
  const times = prices.map(({ at }) => Date.parse(at));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // The last price holds on: a tenth of the width shows it.
  const span = Math.max(1, last - first) * 1.1;
  const all = prices.map(({ priceFen }) => priceFen);
  const [low, high] = [Math.min(...all, band?.minFen ?? Infinity), Math.max(...all, band?.maxFen ?? 0)];
  const x = (at: number) => LEFT + (prices.length === 1 ? 0 : ((at - first) / span) * (WIDTH - LEFT - 8));
  const y = (fen: number) => TOP + (1 - (fen - low) / Math.max(1, high - low)) * (HEIGHT - TOP - BOTTOM);
  const steps = prices
    .map(
      ({ priceFen }, index) =>
        `${x(times[index]!)},${y(priceFen)} ${index + 1 < prices.length ? x(times[index + 1]!) : WIDTH - 8},${y(priceFen)}`,
    )
    .join(' ');
  return (
    <svg
      className="ds-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`价格历史：${prices.map(({ priceFen }) => yuan(priceFen)).join('、')}元`}
    >
      {band && (
        <rect
          x={LEFT}
          width={WIDTH - LEFT - 8}
          y={y(band.maxFen)}
          height={Math.max(1, y(band.minFen) - y(band.maxFen))}
          fill="var(--kq-sunken)"
        />
      )}
      {[low, high].map((fen, index) => (
        <text key={index} x={LEFT - 6} y={y(fen) + 3} textAnchor="end">
          {yuan(fen)}
        </text>
      ))}
      <polyline fill="none" stroke="var(--kq-primary)" strokeWidth="2" points={steps} />
      {prices.map((price, index) => (
        <g key={price.id}>
          <circle cx={x(times[index]!)} cy={y(price.priceFen)} r="4" fill="var(--kq-primary)">
            <title>{`${showInstant(price.at)}　${yuan(price.priceFen)}元（${openingPriceSources.label(price.source)}，${price.byName}）${price.reason}`}</title>
          </circle>
          <text x={x(times[index]!)} y={HEIGHT - 4} textAnchor={index === 0 ? 'start' : 'middle'}>
            {showInstant(price.at).slice(2, 10)}
          </text>
        </g>
      ))}
      <text x={WIDTH - 8} y={y(prices.at(-1)!.priceFen) - 6} textAnchor="end">
        现价 {yuan(prices.at(-1)!.priceFen)}
      </text>
    </svg>
  );
}
