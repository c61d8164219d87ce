import { Button, Skeleton, Space } from 'antd';
import { lazy } from 'react';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { allocateOrder } from '../../contract/calls/allocation.ts';
import { completeService, queryOrderFulfilments } from '../../contract/calls/fulfilments.ts';
import { queryOrderDetail } from '../../contract/calls/orders.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { partReads } from '../partReads.ts';
import { FulfilmentCard } from './FulfilmentCard.tsx';

const AssignDialog = lazy(async () => ({ default: (await import('./AssignDialog.tsx')).AssignDialog }));

/** 履约与物流 of an order: its parts with their parcels, and who brings what of it still has no supplier. */
export function OrderFulfilments({ orderId }: { orderId: string }) {
  const detail = useData(queryOrderDetail, { orderId }, { quiet: true });
  const parts = useData(queryOrderFulfilments, { orderId }, { quiet: true });
  const layers = useLayers();
  const mayDo = useMay();
  const options = { success: SERVER_MESSAGE, refreshes: partReads } as const;
  const allocate = useCommand(allocateOrder, options);
  const complete = useCommand(completeService, options);
  const error = detail.error ?? parts.error;
  const again = () => {
    void detail.refetch();
    void parts.refetch();
  };
  if (error) return <TableFailure error={error} onRetry={again} />;
  if (!detail.data || !parts.data) return <Skeleton active paragraph={{ rows: 6 }} />;
  const { order, lines } = detail.data;
  const isOpen = order.state === 'PENDING_ALLOCATION' || order.state === 'FULFILLING';
  const isService = order.orderType === 'SERVICE';
  const needsSupplier = isOpen && !isService && lines.some(({ quantity, allocatedQty }) => allocatedQty < quantity);
  const named = { orderId, version: order.version };
  const finish = async () => {
    if (await ask({ title: '登记服务完成', content: '确认该服务已完成?', facts: [{ label: '订单号', value: order.orderNo }] }))
      await complete.run(named);
  };
  const assigns = needsSupplier && mayDo(may['allocation.assign']);
  const finishes = isService && order.state === 'FULFILLING' && mayDo(may['fulfilment.ship']);
  return (
    <>
      {(assigns || finishes) && (
        <Space className="kq-section">
          {assigns && (
            <>
              <Button
                type="primary"
                onClick={() => layers.open((close) => <AssignDialog orderNo={order.orderNo} onDone={again} onClose={close} />)}
              >
                人工分配
              </Button>
              <Button loading={allocate.busy} onClick={() => void allocate.run(named)}>
                重新分配
              </Button>
            </>
          )}
          {finishes && (
            <Button type="primary" loading={complete.busy} onClick={() => void finish()}>
              登记服务完成
            </Button>
          )}
        </Space>
      )}
      {parts.data.fulfilments.length === 0 ? (
        <TableEmpty loading={false}>{isService ? '服务订单没有履约单' : isOpen ? '还没有分配供应商' : '没有履约单'}</TableEmpty>
      ) : (
        parts.data.fulfilments.map((part) => <FulfilmentCard key={part.id} part={part} onChanged={again} />)
      )}
      {layers.shown}
    </>
  );
}
