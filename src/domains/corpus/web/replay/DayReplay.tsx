import { Alert } from 'antd';
import { useState } from 'react';
import { plusDays, showInstant } from '#kernel/contract/time.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryDayReplay } from '../../contract/engine/replayCalls.ts';
import type { OutputOf } from '#kernel/contract/call.ts';

type Row = OutputOf<typeof queryDayReplay>['rows'][number];
const columns = [
  { key: 'sendNo', title: '编号', width: 150 },
  { key: 'at', title: '时间', width: 170, value: (row: Row) => showInstant(row.at) },
  { key: 'was', title: '当时', width: 200 },
  { key: 'again', title: '重放', width: 260 },
] as const;

/** A day that is over, decided again by what was kept of it. */
export function DayReplay({ scenePackageId }: { scenePackageId: string }) {
  const [day, setDay] = useState(() => plusDays(todayHere(), -1));
  const { data, error, loading, refetch } = useData(queryDayReplay, { scenePackageId, day }, { quiet: true });
  return (
    <div className="kq-tryout">
      <div className="kq-tryout-head">
        <DayInput value={day} onChange={(value) => value && setDay(value)} />
        <span className="kq-muted">用当日留存的判断依据，重新判断该场景当日的进入与触达</span>
      </div>
      {error && !data ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="kq-loading" role="progressbar" aria-label="重放加载中" />
      ) : (
        <>
          <div className="kq-tiles">
            <div className="kq-tile">
              <strong>{`${data.sent} → ${data.sentAgain}`}</strong>实际发送 → 重放发送
            </div>
            {(['same', 'differs', 'unknown'] as const).map((is) => (
              <div key={is} className="kq-tile">
                <strong>{`${data.entries[is]} / ${data.decisions[is]}`}</strong>
                {{ same: '一致', differs: '不一致', unknown: '未知' }[is]}（进入 / 触达判断）
              </div>
            ))}
          </div>
          {data.rows.length === 0 ? (
            <Alert
              type={data.entries.same + data.decisions.same === 0 ? 'info' : 'success'}
              showIcon
              title={data.entries.same + data.decisions.same === 0 ? '该日没有进入，也没有触达' : '重放结果与当日完全一致'}
            />
          ) : (
            <DataTable rowKey="sendNo" rows={data.rows} columns={columns} loading={loading} height="auto" empty="没有差异" />
          )}
        </>
      )}
    </div>
  );
}
