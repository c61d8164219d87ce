import { Drawer } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryCardTypeVersions, type CardTypeRow } from '../../contract/calls/types.ts';
import '../use/use.css';

/** Versions of a type's rules, each against the one before. */
export function Versions({ row, onClose }: { row: CardTypeRow; onClose(): void }) {
  const { data, error, refetch } = useData(queryCardTypeVersions, { id: row.id }, { quiet: true });
  return (
    <Drawer open title={`版本记录 ${row.typeName}`} size={760} onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Waiting for={{ error, refetch }} />
      ) : data.length === 0 ? (
        <p className="kq-muted">还没有启用过，没有版本</p>
      ) : (
        data.map((one) => (
          <Section
            key={one.ruleVersion}
            title={`第${one.ruleVersion}版`}
            extra={`${one.changedBy} ${one.changedAt ? showInstant(one.changedAt) : ''} · ${one.batchCount}个批次`}
          >
            {one.changes.length === 0 ? (
              <p className="kq-muted">首个版本</p>
            ) : (
              <table className="card-table">
                <thead>
                  <tr>
                    <th>项目</th>
                    <th>修改前</th>
                    <th>修改后</th>
                  </tr>
                </thead>
                <tbody>
                  {one.changes.map((change) => (
                    <tr key={change.label}>
                      <td>{change.label}</td>
                      <td>{change.before}</td>
                      <td>{change.after}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Section>
        ))
      )}
    </Drawer>
  );
}
