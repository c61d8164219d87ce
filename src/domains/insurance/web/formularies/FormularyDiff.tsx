import { Drawer } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { diffFormularyVersion } from '../../contract/formulary/calls.ts';

const words = { ADDED: '新增', REMOVED: '删除', CHANGED: '变更' } as const;

/** Medicines that came, went or are paid for otherwise than in the version before. */
export function FormularyDiff({ fromId, toId, onClose }: { fromId: string; toId: string; onClose(): void }) {
  const query = useData(diffFormularyVersion, { fromId, toId }, { quiet: true });
  return (
    <Drawer open size={960} title="目录版本对比" onClose={onClose} destroyOnHidden>
      {!query.data ? (
        <Waiting for={query} />
      ) : query.data.differences.length === 0 ? (
        <p className="kq-muted">两个版本的药品一致</p>
      ) : (
        <table className="kq-facts-table">
          <thead>
            <tr>
              <th scope="col">变化</th>
              <th scope="col">药品与适应症</th>
              <th scope="col">V{query.data.fromNo}</th>
              <th scope="col">V{query.data.toNo}</th>
            </tr>
          </thead>
          <tbody>
            {query.data.differences.map((one, index) => (
              <tr key={`${one.label}:${index}`}>
                <td>{words[one.change]}</td>
                <td>{one.label}</td>
                <td>{one.before ?? '—'}</td>
                <td>{one.after ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Drawer>
  );
}
