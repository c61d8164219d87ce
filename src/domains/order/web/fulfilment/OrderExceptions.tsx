import { lazy, useMemo } from 'react';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { queryExceptionList, type ExceptionRow } from '../../contract/calls/exceptions.ts';
import { payCardsAgain, queryOrderDetail, queryOrderList, type OrderDetail } from '../../contract/calls/orders.ts';
import type { ExceptionType } from '../../contract/orderDictionaries.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { exceptionReads } from '../exceptionReads.ts';
import { useExceptionActions } from './useExceptionActions.tsx';

const AssignDialog = lazy(async () => ({ default: (await import('./AssignDialog.tsx')).AssignDialog }));

const exceptions = resource(queryExceptionList, {
  routeKey: 'orderManagement.exceptions',
  empty: '该订单没有异常工单',
  filters: [],
  columns: [
    { key: 'exceptionNo', required: true },
    'type',
    'detail',
    'state',
    'ownerName',
    'fulfilmentNo',
    'createdAt',
    'dueAt',
    'resolution',
  ],
});

/** What stands in the way of a part is mended at the part: pushed again, withdrawn, signed. */
const AT_THE_PART: ReadonlySet<ExceptionType> = new Set(['PUSH_FAILED', 'ACCEPT_TIMEOUT', 'SHIP_TIMEOUT', 'LOGISTICS_PROBLEM']);
/** Nobody brings it any more: another supplier is chosen. */
const WITHOUT_SUPPLIER: ReadonlySet<ExceptionType> = new Set(['ALLOC_FAILED', 'SUPPLIER_REJECTED']);
const isOpen = ({ state }: ExceptionRow) => state === 'OPEN' || state === 'HANDLING';

interface Props {
  order: OrderDetail['order'];
  /** Shows another part of the order. */
  onShow(part: 'money' | 'parts'): void;
  onChanged(): void;
}

/** 异常工单 of one order, each with the step that mends its type. */
export function OrderExceptions({ order, onShow, onChanged }: Props) {
  const layers = useLayers();
  const handling = useExceptionActions(layers);
  const payAgain = useCommand(payCardsAgain, {
    success: SERVER_MESSAGE,
    refreshes: [...exceptionReads, queryOrderDetail, queryOrderList],
  });
  const fixed = useMemo(() => ({ orderId: order.id }), [order.id]);
  const steps: readonly RowAction<ExceptionRow>[] = [
    {
      label: '人工分配',
      permission: may['allocation.assign'],
      when: (row) =>
        WITHOUT_SUPPLIER.has(row.type) && isOpen(row) && (order.state === 'PENDING_ALLOCATION' || order.state === 'FULFILLING'),
      act: () => layers.open((close) => <AssignDialog orderNo={order.orderNo} onDone={onChanged} onClose={close} />),
    },
    {
      label: '重新扣卡',
      permission: may['exception.handle'],
      when: (row) => row.type === 'CARD_FAILED' && isOpen(row),
      act: () => payAgain.run({ orderId: order.id, version: order.version }),
    },
    {
      label: '处理履约单',
      when: (row) => AT_THE_PART.has(row.type) && isOpen(row),
      act: () => onShow('parts'),
    },
    {
      label: '核对金额',
      when: (row) => row.type === 'AMOUNT_MISMATCH' && isOpen(row),
      act: () => onShow('money'),
    },
  ];
  return (
    <>
      <ResourceList of={exceptions} fixed={fixed} actions={[...steps, ...handling]} />
      {layers.shown}
    </>
  );
}
