import { Input } from 'antd';
import { useMemo, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryDepartmentTree, type DepartmentNode } from '../../contract/departmentCalls.ts';
import '../shared/institution.css';

/** Tab 科室字典: the platform's standard departments and how many hospitals use each. */
export function StandardDepartments() {
  const { data, error, refetch } = useData(queryDepartmentTree, {}, { fresh: 60_000 });
  const [keyword, setKeyword] = useState('');
  const nodes = useMemo(() => {
    const all = data ?? [];
    const title = (node: DepartmentNode) => `${node.id}　${node.name}${node.hospitalCount > 0 ? `（${node.hospitalCount}家医院）` : ''}`;
    const hit = (node: DepartmentNode) => keyword === '' || node.name.includes(keyword) || node.id.startsWith(keyword);
    return all
      .filter(({ parentId }) => parentId === null)
      .flatMap((top) => {
        const below = all.filter(({ parentId }) => parentId === top.id);
        const shown = hit(top) ? below : below.filter(hit);
        return hit(top) || shown.length > 0
          ? [{ key: top.id, title: title(top), below: shown.map((node) => ({ key: node.id, title: title(node) })) }]
          : [];
      });
  }, [data, keyword]);
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  return (
    <div className="kq-list">
      <Input.Search
        allowClear
        placeholder="科室名称或编码"
        style={{ maxWidth: 320 }}
        onChange={(event) => setKeyword(event.target.value.trim())}
      />
      <div className="in-scroll">
        {nodes.length === 0 ? (
          <TableEmpty loading={data === undefined}>没有符合条件的科室</TableEmpty>
        ) : (
          nodes.map((top) =>
            top.below.length === 0 ? (
              <div key={top.key} className="in-leaf">
                {top.title}
              </div>
            ) : (
              <details key={top.key} className="in-branch" open>
                <summary>{top.title}</summary>
                <ul>
                  {top.below.map((node) => (
                    <li key={node.key}>{node.title}</li>
                  ))}
                </ul>
              </details>
            ),
          )
        )}
      </div>
    </div>
  );
}
