import { Button, Drawer, Skeleton, Tabs } from 'antd';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { TransitionButtons } from '#kernel/web/detail/TransitionButtons.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { queryOrderDetail, type OrderDetail } from '../../contract/calls/orders.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { OrderFacts } from './OrderFacts.tsx';
import { Stuck } from './Stuck.tsx';
import { useOrderActions } from './useOrderActions.tsx';

const MoneyMatrix = lazy(async () => ({ default: (await import('./MoneyMatrix.tsx')).MoneyMatrix }));
const AfterSaleForm = lazy(async () => ({ default: (await import('../afterSales/AfterSaleForm.tsx')).AfterSaleForm }));
const OrderFulfilments = lazy(async () => ({ default: (await import('../fulfilment/OrderFulfilments.tsx')).OrderFulfilments }));
const OrderExceptions = lazy(async () => ({ default: (await import('../fulfilment/OrderExceptions.tsx')).OrderExceptions }));
const RxPanel = lazy(async () => ({ default: (await import('./RxPanel.tsx')).RxPanel }));

interface OrderDrawerProps {
  orderId: string;
  /** Which part is shown first. */
  view: 'facts' | 'rx' | 'exceptions';
  onClose(): void;
}

function partsOf(
  data: OrderDetail,
  again: () => void,
  show: (part: string) => void,
): { key: string; label: string; children: ReactNode }[] {
  return [
    { key: 'facts', label: '基本信息', children: <OrderFacts data={data} /> },
    { key: 'money', label: '商品与金额', children: <MoneyMatrix data={data} /> },
    ...(data.rxResult === 'NONE' ? [] : [{ key: 'rx', label: '处方', children: <RxPanel data={data} again={again} /> }]),
    ...(data.order.paidAt === null || data.order.orderType === 'STORE_DIRECT'
      ? []
      : [{ key: 'parts', label: '履约与物流', children: <OrderFulfilments orderId={data.order.id} /> }]),
    { key: 'exceptions', label: '异常工单', children: <OrderExceptions order={data.order} onShow={show} onChanged={again} /> },
    { key: 'trail', label: '操作记录', children: <AuditTimeline rows={data.trail} machine={orderMachine} /> },
  ];
}

/** One order: its money, its prescription, what happened to it. The address opens it again. */
export function OrderDrawer({ orderId, view, onClose }: OrderDrawerProps) {
  const { data, error, refetch } = useData(queryOrderDetail, { orderId }, { quiet: true });
  const layers = useLayers();
  const changes = useOrderActions(layers);
  const [part, setPart] = useState<string>(view);
  const order = data?.order;
  return (
    <Drawer
      open
      size={1080}
      title={
        order ? (
          <>
            订单 {order.orderNo} <Dict of={orderMachine.dictionary} code={order.state} />{' '}
            {order.waitingFor !== null && (
              <>
                等待 <Stuck row={order} />
              </>
            )}
          </>
        ) : (
          '订单'
        )
      }
      onClose={onClose}
      footer={
        order && (
          <div className="kq-detail-actions">
            {(order.state === 'FULFILLING' || order.state === 'COMPLETED') && (
              <Can permission={may['afterSale.make']}>
                <Button onClick={() => layers.open((close) => <AfterSaleForm data={data} onClose={close} />)}>发起售后</Button>
              </Can>
            )}
            <TransitionButtons
              machine={orderMachine}
              actions={order.orderType === 'B2C' ? ['editAddress', 'remark', 'cancel'] : ['remark', 'cancel']}
              allowed={order.allowedActions}
              disabled={false}
              onTake={(action) => changes[action](order)}
            />
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Suspense fallback={<Skeleton active paragraph={{ rows: 12 }} />}>
          <Tabs size="small" activeKey={part} onChange={setPart} items={partsOf(data, () => void refetch(), setPart)} destroyOnHidden />
        </Suspense>
      ) : (
        <Skeleton active paragraph={{ rows: 12 }} />
      )}
      {layers.shown}
    </Drawer>
  );
}
