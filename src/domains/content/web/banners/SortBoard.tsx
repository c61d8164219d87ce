import { Button, Select } from 'antd';
import { useRef, useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryBannerList, sortBanner } from '../../contract/banners/calls.ts';
import type { PositionCode } from '../../contract/delivery/positions.ts';
import { moved } from '../marks/moved.ts';
import { placeOptions } from '../delivery/DeliveryFields.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { shownStates } from '../../contract/delivery/dictionaries.ts';

const MOST = 99;

/** Pictures of one place by priority, dragged into another order and saved once. */
export function SortBoard({ place, onDone }: { place: PositionCode; onDone(): void }) {
  const [positionCode, setPosition] = useState(place);
  const { data, error, refetch } = useData(queryBannerList, {
    positionCode: [positionCode],
    state: ['LIVE', 'WAITING', 'PAUSED_SLOT'],
    pageNo: 1,
    pageSize: MOST,
  });
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const dragged = useRef<string | null>(null);
  const sort = useCommand(sortBanner, { success: '操作成功!', refreshes: [queryBannerList], onSuccess: onDone });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  const rows = (data?.rows ?? []).toSorted((a, b) => b.priority - a.priority || Date.parse(b.startAt) - Date.parse(a.startAt));
  const ids = order ?? rows.map(({ id }) => id);
  const shown = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  return (
    <>
      <div className="kq-row">
        <Select
          aria-label="位置"
          style={{ width: 320 }}
          value={positionCode}
          options={placeOptions('BANNER')}
          onChange={(next: PositionCode) => {
            setOrder(null);
            setPosition(next);
          }}
        />
        <span className="kq-muted">拖动图片调整先后，保存后优先级自99起依次递减</span>
      </div>
      {shown.length === 0 && <div className="kq-empty">{data ? '该位置没有投放中或待投放的Banner' : '加载中…'}</div>}
      <ol className="dl-order">
        {shown.map((row, index) => (
          <li
            key={row.id}
            draggable
            onDragStart={() => (dragged.current = row.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => setOrder(moved(ids, dragged.current, row.id) ?? order)}
          >
            {row.pictureUrl && <img src={row.pictureUrl} alt={row.altText || row.bannerName} draggable={false} />}
            <div>
              {index + 1}. {row.bannerName} <Dict of={shownStates} code={row.shownState} />
            </div>
            <div className="kq-muted">
              优先级{row.priority}　{showInstant(row.startAt).slice(5, 16)} 至 {showInstant(row.endAt).slice(5, 16)}
            </div>
          </li>
        ))}
      </ol>
      <div className="kq-row">
        <Button type="primary" disabled={order === null} loading={sort.busy} onClick={() => void sort.run({ positionCode, ids: [...ids] })}>
          保存排序
        </Button>
        <Button onClick={onDone}>返回列表</Button>
      </div>
    </>
  );
}
