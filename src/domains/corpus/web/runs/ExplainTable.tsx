import { operatorLabel } from '#kernel/contract/rules/sentence.ts';
import '../engine/engine.css';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { roleLabels } from '../../contract/dictionaries.ts';
import type { ExplainedCondition } from '../../contract/engine/explained.ts';

const signs = { HELD: '✓', NOT_HELD: '✗', NO_DATA: '无数据' } as const;
const looks = { HELD: 'kq-held', NOT_HELD: 'kq-not-held', NO_DATA: 'kq-no-data' } as const;

/** Why conditions held or not: every row with the value that was found. */
export function ExplainTable({ rows }: { rows: readonly ExplainedCondition[] }) {
  if (rows.length === 0) return <p className="kq-muted">没有条件</p>;
  return (
    <table className="kq-explain">
      <thead>
        <tr>
          <th>条件组</th>
          <th>条件</th>
          <th>当前值</th>
          <th>结果</th>
          <th>来源</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index} className={row.checked === 0 ? 'kq-muted' : undefined}>
            <td>{row.set === 'main' ? `主场景 ${row.groupNo}` : row.groupNo}</td>
            <td>
              {roleLabels[row.role]}.{row.variableName} {operatorLabel[row.operatorValue]} {row.conditionValue}
              {row.checked === 0 && '（不生效）'}
            </td>
            <td>{row.value ?? NOTHING}</td>
            <td className={looks[row.verdict]}>{signs[row.verdict]}</td>
            <td>{row.source ?? NOTHING}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
