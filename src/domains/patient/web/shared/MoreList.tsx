import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { failureText } from '#kernel/web/http/refusal.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import type { More } from './useMore.ts';

interface MoreListProps<Row> {
  list: More<Row>;
  empty: ReactNode;
  children(rows: readonly Row[]): ReactNode;
}

/** Loading, failure with 重新加载, nothing, or the rows with 加载更多. */
export function MoreList<Row>({ list, empty, children }: MoreListProps<Row>) {
  if (list.rows === undefined)
    return list.error ? (
      <TableFailure error={list.error} onRetry={list.retry} />
    ) : (
      <Skeleton active paragraph={{ rows: 3 }} title={false} className="pa-wait" />
    );
  if (list.rows.length === 0) return <p className="pa-empty">{empty}</p>;
  return (
    <>
      {children(list.rows)}
      {list.error && <p className="kq-danger">加载失败：{failureText(list.error)}</p>}
      {list.more && (
        <Button block size="small" className="pa-more" loading={list.moreFlying} onClick={list.more}>
          加载更多
        </Button>
      )}
    </>
  );
}
