import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryPromotionTagList, sortPromotionTag } from '../../contract/promotion/calls.ts';
import { moved } from '../marks/moved.ts';
import { TagFace } from './Card.tsx';

/** Priorities go from 99 down: no more tags than that have one of their own. */
const MOST = 99;

/** Tags in use by priority, dragged into another order and saved once. */
export function OrderList({ onDone }: { onDone(): void }) {
  const { data, error, refetch } = useData(queryPromotionTagList, { state: 'ENABLED', pageNo: 1, pageSize: MOST });
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const dragged = useRef<string | null>(null);
  const sort = useCommand(sortPromotionTag, { success: '操作成功!', refreshes: [queryPromotionTagList], onSuccess: onDone });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  const rows = data?.rows ?? [];
  if (rows.length === 0) return <div className="kq-empty">{data ? '没有启用的促销标签' : '加载中…'}</div>;
  const ids = order ?? rows.map(({ id }) => id);
  const shown = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  return (
    <>
      <p className="kq-muted">拖动调整展示的先后，保存后优先级自99起依次递减</p>
      <ol className="pt-order">
        {shown.map((row) => (
          <li
            key={row.id}
            draggable
            onDragStart={() => (dragged.current = row.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => setOrder(moved(ids, dragged.current, row.id) ?? order)}
          >
            <TagFace {...row} />
            <span>{row.markName}</span>
            <span className="kq-muted">{row.priority}</span>
          </li>
        ))}
      </ol>
      <div className="kq-row" style={{ marginTop: 12 }}>
        <Button type="primary" disabled={order === null} loading={sort.busy} onClick={() => void sort.run({ ids: [...ids] })}>
          保存排序
        </Button>
        <Button onClick={onDone}>取消</Button>
      </div>
    </>
  );
}
