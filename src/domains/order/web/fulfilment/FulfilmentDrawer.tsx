import { Drawer, Skeleton } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { queryFulfilmentDetail } from '../../contract/calls/fulfilments.ts';
import { FulfilmentCard } from './FulfilmentCard.tsx';

/** One part of an order, of the row that the page names. */
export function FulfilmentDrawer({ record, onChanged, onClose }: PageWindowProps) {
  const { data, error, refetch } = useData(queryFulfilmentDetail, { fulfilmentId: record }, { quiet: true });
  const changed = () => {
    onChanged();
    void refetch();
  };
  return (
    <Drawer open title={data ? `履约单 ${data.fulfilmentNo}` : '履约单'} size="min(1080px, 94vw)" onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <FulfilmentCard part={data} onChanged={changed} withTrail />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  );
}
