import { Empty, Tag } from 'antd';
import { Pager } from '#kernel/web/kit/Pager.tsx';
import type { ListView } from '#kernel/web/list/ResourceList.tsx';
import { useList } from '#kernel/web/http/queries.ts';
import { useState } from 'react';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { queryMaterialList, type MaterialRow } from '../../contract/materials/calls.ts';
import { materialType } from '../../contract/materials/dictionaries.ts';
import { reviewMachine } from '../../contract/materials/review.ts';
import './materials.css';

type View = ListView<typeof queryMaterialList>;
const PAGE = 24;

/** The same materials as cards. @param filters those of the list */
export function MaterialGrid({ filters, onOpen }: { filters: View['filters']; onOpen(row: MaterialRow): void }) {
  const [pageNo, setPageNo] = useState(1);
  const input: InputOf<typeof queryMaterialList> = { ...filters, pageNo, pageSize: PAGE };
  const { rows, total, error, refetch } = useList(queryMaterialList, input, { quiet: true });
  if (!rows && error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (rows?.length === 0) return <Empty description="没有符合条件的素材" />;
  return (
    <>
      <div className="kq-mat-grid">
        {rows?.map((row) => (
          <button key={row.id} type="button" className="kq-mat-card" onClick={() => onOpen(row)}>
            {row.pictureUrl ? (
              <img src={row.pictureUrl} alt="" />
            ) : (
              <span className="kq-mat-card-text">{row.summary || materialType.label(row.materialType)}</span>
            )}
            <b>{row.title}</b>
            <span className="kq-mat-thumbs">
              <Tag color={reviewMachine.dictionary.tone(row.state)}>{reviewMachine.dictionary.label(row.state)}</Tag>
              <span className="kq-muted">{materialType.label(row.materialType)}</span>
              <span className="kq-muted">引用 {row.usageCount}</span>
            </span>
          </button>
        ))}
      </div>
      <Pager current={pageNo} pageSize={PAGE} total={total} showSizeChanger={false} onChange={setPageNo} />
    </>
  );
}
