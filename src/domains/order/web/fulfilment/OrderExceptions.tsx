import { useMemo } from 'react';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  claimException,
  ignoreException,
  queryExceptionList,
  resolveException,
  type ExceptionRow,
} from '../../contract/calls/exceptions.ts';
import { payCardsAgain, queryOrderDetail, queryOrderList } from '../../contract/calls/orders.ts';
import { exceptionMachine } from '../../contract/exceptionStates.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';

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

/** 异常工单 of one order. */
export function OrderExceptions({ orderId, version }: { orderId: string; version: number }) {
  const payAgain = useCommand(payCardsAgain, {
    success: SERVER_MESSAGE,
    refreshes: [queryExceptionList, queryOrderDetail, queryOrderList],
  });
  const options = { success: SERVER_MESSAGE, refreshes: [queryExceptionList] } as const;
  const claim = useCommand(claimException, options);
  const resolve = useCommand(resolveException, options);
  const ignore = useCommand(ignoreException, options);
  const fixed = useMemo(() => ({ orderId }), [orderId]);
  const close = async (row: ExceptionRow, action: 'resolve' | 'ignore') => {
    const facts = factsIn(queryExceptionList.output, row, ['exceptionNo', 'type', 'detail']);
    const opinion = await askTransition(exceptionMachine, action, '', facts);
    if (opinion !== null) await (action === 'resolve' ? resolve : ignore).run({ exceptionId: row.id, version: row.version, opinion });
  };
  return (
    <ResourceList
      of={exceptions}
      fixed={fixed}
      actions={[
        {
          label: '重新扣卡',
          permission: may['exception.handle'],
          when: ({ type, state }) => type === 'CARD_FAILED' && (state === 'OPEN' || state === 'HANDLING'),
          act: () => payAgain.run({ orderId, version }),
        },
        {
          label: '领取',
          permission: may['exception.handle'],
          when: ({ allowedActions }) => allowedActions.includes('claim'),
          act: (row) => claim.run({ exceptionId: row.id, version: row.version }),
        },
        {
          label: '解决',
          permission: may['exception.handle'],
          when: ({ allowedActions }) => allowedActions.includes('resolve'),
          act: (row) => close(row, 'resolve'),
        },
        {
          label: '忽略',
          permission: may['exception.ignore'],
          danger: true,
          when: ({ allowedActions }) => allowedActions.includes('ignore'),
          act: (row) => close(row, 'ignore'),
        },
      ]}
    />
  );
}
