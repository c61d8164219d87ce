import { useData } from '#kernel/web/http/queries.ts';
import { TableEmpty, Waiting } from '#kernel/web/kit/TableState.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { queryHospitalCounts } from '../../contract/hospitalCalls.ts';
import { placeLabels } from './placeLabels.ts';
import '../shared/institution.css';

const WIDTH = 900;
const HEIGHT = 420;
/** Room around the outermost cities, in degrees. */
const MARGIN = 1.2;

const nameOf = (city: string) => city.replace(/^.*(省|自治区)/, '');

/** 地图视图: one circle per city of the filtered hospitals, as large as their number; a click filters by the city. */
export function CityMap({ filters, onCity }: { filters: InputOf<typeof queryHospitalCounts>; onCity(cityAdcode: string): void }) {
  const found = useData(queryHospitalCounts, filters, { quiet: true });
  if (!found.data) return <Waiting for={found} />;
  const { cities } = found.data;
  if (cities.length === 0) return <TableEmpty loading={false}>没有符合条件的医院</TableEmpty>;
  const most = Math.max(1, ...cities.map(({ count }) => count));
  const placed = cities.filter((city) => city.lngE6 !== null && city.latE6 !== null);
  const lngs = placed.map(({ lngE6 }) => (lngE6 ?? 0) / 1e6);
  const lats = placed.map(({ latE6 }) => (latE6 ?? 0) / 1e6);
  const [west, east, south, north] = [
    Math.min(...lngs) - MARGIN,
    Math.max(...lngs) + MARGIN,
    Math.min(...lats) - MARGIN,
    Math.max(...lats) + MARGIN,
  ];
  const spots = placed.map((city) => ({
    city,
    radius: 5 + 9 * Math.sqrt(city.count / most),
    x: (((city.lngE6 ?? 0) / 1e6 - west) / (east - west)) * WIDTH,
    y: ((north - (city.latE6 ?? 0) / 1e6) / (north - south)) * HEIGHT,
  }));
  const labels = placeLabels(spots.map(({ city, x, y, radius }) => ({ text: nameOf(city.city), x, y, radius })));
  return (
    <div className="in-scroll">
      <svg className="in-map in-cities" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="医院分布图">
        {spots.map(({ city, x, y, radius }, index) => {
          const label = labels[index]!;
          return (
            <g key={city.cityAdcode} style={{ cursor: 'pointer' }} onClick={() => onCity(city.cityAdcode)}>
              <circle cx={x} cy={y} r={radius} fill="#1677ff" opacity={0.25} stroke="#1677ff">
                <title>{`${city.city}：${city.count}家`}</title>
              </circle>
              <text x={x} y={y + 4} textAnchor="middle">
                {city.count}
              </text>
              <text x={label.x} y={label.y} textAnchor={label.anchor}>
                {nameOf(city.city)}
              </text>
            </g>
          );
        })}
      </svg>
      <div className="in-bubbles">
        {cities.map((city) => (
          <button key={city.cityAdcode} type="button" className="kq-link" onClick={() => onCity(city.cityAdcode)}>
            {city.city} {city.count}家{city.located < city.count ? `（${city.count - city.located}家无坐标）` : ''}
          </button>
        ))}
      </div>
    </div>
  );
}
