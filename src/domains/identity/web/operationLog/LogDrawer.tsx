import { Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { queryOperationLogDetail } from '../../contract/calls/logs.ts';
import { logKinds } from '../../contract/dictionaries.ts';
import { actorText, isSuccess, showValue, targetText } from './logValues.ts';
import './log.css';

interface LogDrawerProps {
  id: string;
  titles: ReadonlyMap<string, string>;
  onClose(): void;
}

/** One row of the log: before and after, input, its place in the chain, and what else happened in the same request. */
export function LogDrawer({ id, titles, onClose }: LogDrawerProps) {
  const [shown, setShown] = useState(id);
  const { data: row, error, refetch } = useData(queryOperationLogDetail, { id: shown }, { quiet: true });
  return (
    <Drawer open title={row ? `${row.label} · ${actorText(row)}` : '操作日志详情'} size={760} onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !row ? (
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : (
        <>
          <Facts
            columns={2}
            facts={factsIn(queryOperationLogDetail.output, row, [
              'at',
              { key: 'kind', value: <Dict of={logKinds} code={row.kind} /> },
              { label: '操作人', value: actorText(row) },
              { label: '角色', value: row.roleName ?? row.roleCode ?? NOTHING },
              { key: 'menuRouteKey', value: row.menuRouteKey ? (titles.get(row.menuRouteKey) ?? row.menuRouteKey) : NOTHING },
              { label: '接口', value: row.call },
              { label: '对象', value: targetText(row), wide: true },
              {
                label: '结果',
                value: isSuccess(row) ? '成功' : <span className="kq-danger">{`${row.resultCode} ${row.message ?? ''}`}</span>,
                wide: true,
              },
              { label: '耗时', value: `${row.durationMs}ms` },
              'ip',
              { key: 'traceId', value: <span className="id-mono">{row.traceId}</span>, wide: true },
              { label: '浏览器', value: row.userAgent ?? NOTHING, wide: true },
            ])}
          />
          <Section title={`变更内容${row.diffTruncated ? '（内容过长，已截断）' : ''}`}>
            {row.diff.length === 0 ? (
              <p className="kq-muted">该操作没有变更内容</p>
            ) : (
              <table className="kq-facts-table">
                <thead>
                  <tr>
                    <th>字段</th>
                    <th>变更前</th>
                    <th>变更后</th>
                  </tr>
                </thead>
                <tbody>
                  {row.diff.map((change) => (
                    <tr key={change.path}>
                      <td title={change.path}>{change.label}</td>
                      <td className="id-before">{showValue(change.before)}</td>
                      <td className="id-after">{showValue(change.after)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Section>
          <Section title="请求内容">
            <pre className="id-input-json">{JSON.stringify(row.input ?? {}, null, 2)}</pre>
          </Section>
          <Section title="防篡改链">
            {row.seq === null ? (
              <p className="kq-muted">尚未封链，约2秒后可查看</p>
            ) : (
              <Facts
                columns={1}
                facts={[
                  { label: '序号', value: row.seq },
                  { label: '记录哈希', value: <span className="id-mono">{row.rowHash}</span> },
                  { label: '链哈希', value: <span className="id-mono">{row.chainHash}</span> },
                ]}
              />
            )}
          </Section>
          <Section title="同一请求的其他记录">
            {row.neighbours.length === 0 ? (
              <p className="kq-muted">没有其他记录</p>
            ) : (
              <ul className="id-neighbours">
                {row.neighbours.map((other) => (
                  <li key={other.id}>
                    <button type="button" className="kq-link" onClick={() => setShown(other.id)}>
                      {other.label}
                    </button>{' '}
                    <span className="kq-muted">
                      <Time at={other.at} /> {isSuccess(other) ? '成功' : other.resultCode}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </>
      )}
    </Drawer>
  );
}
