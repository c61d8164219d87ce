import { Empty } from 'antd';
import { useData } from '../../../../kernel/web/http/queries.ts';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { queryHospitalCounts } from '../../contract/hospitalCalls.ts';
import '../shared/institution.css';

const WEST = 73;
const EAST = 135.5;
const NORTH = 54;
const SOUTH = 17;

/** 地图视图: one circle per city of the filtered hospitals, as large as their number; a click filters by the city. */
export function CityMap({ filters, onCity }: { filters: InputOf<typeof queryHospitalCounts>; onCity(cityAdcode: string): void }) {
  const { data } = useData(queryHospitalCounts, filters);
  const cities = data?.cities ?? [];
  if (data && cities.length === 0) return <Empty description="没有符合条件的医院" />;
  const most = Math.max(1, ...cities.map(({ count }) => count));
  const placed = cities.filter((city) => city.lngE6 !== null && city.latE6 !== null);
  return (
    <div className="in-scroll">
      <svg className="in-map" viewBox="0 0 900 520" role="img" aria-label="医院分布图">
        {placed.map((city) => {
          const x = (((city.lngE6 ?? 0) / 1e6 - WEST) / (EAST - WEST)) * 900;
          const y = ((NORTH - (city.latE6 ?? 0) / 1e6) / (NORTH - SOUTH)) * 520;
          const radius = 8 + 18 * Math.sqrt(city.count / most);
          return (
            <g key={city.cityAdcode} style={{ cursor: 'pointer' }} onClick={() => onCity(city.cityAdcode)}>
              <circle cx={x} cy={y} r={radius} fill="#1677ff" opacity={0.25} stroke="#1677ff"><title>{`${city.city}：${city.count}家`}</title></circle>
              <text x={x} y={y + 4} textAnchor="middle">{city.count}</text>
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
