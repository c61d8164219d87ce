import { Dict } from '#kernel/web/kit/values.tsx';
import { indicatorFlags } from '../../contract/dictionaries.ts';
import type { IndicatorOut } from '../../contract/modules.ts';
import { ARROWS, reference, unitText } from './texts.ts';

/** Measured values of one report; what the report said stands beside a converted value. */
export function IndicatorTable({ indicators }: { indicators: readonly IndicatorOut[] }) {
  if (indicators.length === 0) return <p className="pa-empty">没有录入指标</p>;
  return (
    <table className="pa-grid">
      <thead>
        <tr>
          <th>指标</th>
          <th className="pa-right">结果</th>
          <th>参考</th>
          <th>判断</th>
        </tr>
      </thead>
      <tbody>
        {indicators.map((one) => (
          <tr key={one.id}>
            <td>{one.name}</td>
            <td className={`pa-right pa-flag-${one.flag}`}>
              {one.value} {unitText(one.unit)} {ARROWS[one.flag]}
              {one.rawUnit !== one.unit && (
                <div className="kq-muted">
                  报告 {one.rawValue} {unitText(one.rawUnit)}
                </div>
              )}
            </td>
            <td className="pa-nowrap">{reference(one) || '—'}</td>
            <td className="pa-nowrap">
              <Dict of={indicatorFlags} code={one.flag} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
