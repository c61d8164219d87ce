import { Radio } from 'antd';
import { Dict } from '#kernel/web/kit/values.tsx';
import { duplicateSignals } from '../../contract/duplicates.ts';
import type { OtherMaterialDetail } from '../../contract/calls/otherMaterials.ts';

type Row = OtherMaterialDetail['duplicates'][number];
interface DuplicatesProps {
  rows: readonly Row[];
  given: Readonly<Record<string, { verdict: Row['verdict'] }>>;
  editable: boolean;
  onJudge(row: { id: string; verdict: Row['verdict'] }): void;
}

/** Cases whose papers are the same or look alike; each is judged before a pass. */
export function Duplicates({ rows, given, editable, onJudge }: DuplicatesProps) {
  if (rows.length === 0) return <p className="kq-muted">没有发现重复的材料</p>;
  return (
    <ul className="enr-duplicates">
      {rows.map((row) => (
        <li key={row.id}>
          <Dict of={duplicateSignals} code={row.signal} /> {row.otherText} <span className="kq-muted">相似度{row.score}</span>
          <Radio.Group
            size="small"
            disabled={!editable}
            value={given[row.id]?.verdict ?? row.verdict}
            options={[
              { value: 'NOT_DUP', label: '非重复' },
              { value: 'DUP', label: '确认重复' },
            ]}
            onChange={(event) => onJudge({ id: row.id, verdict: event.target.value === 'DUP' ? 'DUP' : 'NOT_DUP' })}
          />
        </li>
      ))}
    </ul>
  );
}
