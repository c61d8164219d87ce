import type { StatementDifference } from '../../contract/model/statements.ts';
import { versionSections } from '../../contract/model/sections.ts';

interface DiffTableProps {
  differences: readonly StatementDifference[];
  titles?: readonly [before: string, after: string];
  none?: string;
}

/** What two versions say otherwise, part by part. */
export function DiffTable({ differences, titles = ['修改前', '修改后'], none = '两个版本内容一致' }: DiffTableProps) {
  if (differences.length === 0) return <p className="kq-muted">{none}</p>;
  return (
    <table className="kq-facts-table ins-diff">
      <thead>
        <tr>
          <th scope="col">部分</th>
          <th scope="col">项目</th>
          <th scope="col">{titles[0]}</th>
          <th scope="col">{titles[1]}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((one, index) => (
          <tr key={`${one.section}:${one.label}:${index}`}>
            <td>{versionSections.label(one.section)}</td>
            <td>{one.label}</td>
            <td>{one.before === null ? <span className="kq-muted">（无）</span> : <del>{one.before}</del>}</td>
            <td>{one.after === null ? <span className="kq-muted">（删除）</span> : <ins>{one.after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
