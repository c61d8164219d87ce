import { Drawer, Segmented } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { showRate } from '#kernel/web/kit/values.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';

import { querySignReviewStat } from '../../contract/calls/applies.ts';
import './applies.css';

const DAY_MS = 86_400_000;
const RANGES = [
  { value: '7', label: '近7天' },
  { value: '30', label: '近30天' },
  { value: '90', label: '近90天' },
];

/** 审核看板: what each reviewer did, and how often a later level decided otherwise. */
export function ReviewBoard({ onClose }: { onClose(): void }) {
  const [range, setRange] = useState('30');
  const [until] = useState(() => Date.now());
  const input = { from: new Date(until - Number(range) * DAY_MS).toISOString(), to: new Date(until).toISOString() };
  const { data, error, loading, refetch } = useData(querySignReviewStat, input);
  const most = Math.max(1, ...(data ?? []).map(({ done }) => done));
  return (
    <Drawer open title="审核看板" size={760} onClose={onClose}>
      <Segmented aria-label="统计时间" value={range} options={RANGES} onChange={setRange} />
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <table className="enr-table">
          <thead>
            <tr>
              <th>审核人</th>
              <th>完成件数</th>
              <th>用时中位数</th>
              <th>通过率</th>
              <th>补件率</th>
              <th>改判率</th>
            </tr>
          </thead>
          <tbody>
            {(data ?? []).map((row) => (
              <tr key={row.userName}>
                <th scope="row">{row.userName}</th>
                <td>
                  <i className="enr-bar" style={{ width: `${(row.done / most) * 100}px` }} /> {row.done}
                </td>
                <td>{Math.ceil(row.medianSeconds / 60)}分钟</td>
                <td>{showRate(row.passBp)}</td>
                <td>{showRate(row.supplementBp)}</td>
                <td>{showRate(row.overturnedBp)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!loading && data?.length === 0 && <p className="kq-muted">这段时间没有审核结论</p>}
    </Drawer>
  );
}
