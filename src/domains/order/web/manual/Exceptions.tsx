import { Button, Tabs } from 'antd';
import { lazy, useMemo, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay, useSession } from '#kernel/web/session/store.ts';
import {
  claimException,
  claimNextException,
  ignoreException,
  queryExceptionCounts,
  queryExceptionList,
  resolveException,
  type ExceptionRow,
} from '../../contract/calls/exceptions.ts';
import { exceptionMachine } from '../../contract/exceptionStates.ts';
import { exceptionTypes, type ExceptionType } from '../../contract/orderDictionaries.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';

const TransferForm = lazy(async () => ({ default: (await import('./TransferForm.tsx')).TransferForm }));

const ALL = 'ALL';
const exceptionReads = [queryExceptionList, queryExceptionCounts];

const exceptions = resource(queryExceptionList, {
  routeKey: 'manualorders:exceptions',
  empty: '没有异常工单；订单履约正常时这里为空',
  filters: ['exceptionNo', 'orderNo', 'state', 'mine', 'overSla'],
  columns: [
    { key: 'exceptionNo', required: true },
    {
      key: 'orderNo',
      render: (row: ExceptionRow) => (
        <PageLink to="/orderManagement" search={{ orderId: row.orderId }}>
          {row.orderNo}
        </PageLink>
      ),
    },
    'type',
    'detail',
    'state',
    'ownerName',
    'createdAt',
    'dueAt',
    { key: 'fulfilmentNo', hidden: true },
    { key: 'resolution', hidden: true },
    { key: 'closedAt', hidden: true },
  ],
});

function useExceptionActions(): { actions: readonly RowAction<ExceptionRow>[]; layers: ReturnType<typeof useLayers> } {
  const me = useSession(({ userId }) => userId);
  const layers = useLayers();
  const options = { success: SERVER_MESSAGE, refreshes: exceptionReads } as const;
  const claim = useCommand(claimException, options);
  const resolve = useCommand(resolveException, options);
  const ignore = useCommand(ignoreException, options);
  const close = async (row: ExceptionRow, action: 'resolve' | 'ignore') => {
    const facts = factsIn(queryExceptionList.output, row, ['exceptionNo', 'orderNo', 'type', 'detail']);
    const opinion = await askTransition(exceptionMachine, action, `异常工单“${row.exceptionNo}”`, facts);
    if (opinion !== null) await (action === 'resolve' ? resolve : ignore).run({ exceptionId: row.id, version: row.version, opinion });
  };
  const isMine = ({ state, ownerId }: ExceptionRow) => state !== 'HANDLING' || ownerId === me;
  const offers = (row: ExceptionRow, action: 'claim' | 'transfer' | 'resolve' | 'ignore') => row.allowedActions.includes(action);
  return {
    layers,
    actions: [
      { label: '查看订单', act: (row) => goTo('/orderManagement', { orderId: row.orderId }) },
      {
        label: '领取',
        permission: may['exception.handle'],
        when: (row) => offers(row, 'claim'),
        act: (row) => claim.run({ exceptionId: row.id, version: row.version }),
      },
      {
        label: '解决',
        permission: may['exception.handle'],
        when: (row) => offers(row, 'resolve') && isMine(row),
        act: (row) => close(row, 'resolve'),
      },
      {
        label: '转交',
        permission: may['exception.handle'],
        when: (row) => offers(row, 'transfer') && isMine(row),
        act: (row) => layers.open((done) => <TransferForm exception={row} onClose={done} />),
      },
      {
        label: '忽略',
        permission: may['exception.ignore'],
        danger: true,
        when: (row) => offers(row, 'ignore'),
        act: (row) => close(row, 'ignore'),
      },
    ],
  };
}

/** 异常工单: stuck orders by what stands in their way. */
export function Exceptions() {
  const [type, setType] = useState<ExceptionType | typeof ALL>(ALL);
  const { data } = useData(queryExceptionCounts, {}, { quiet: true, every: 60_000 });
  const { actions, layers } = useExceptionActions();
  const handles = useMay()(may['exception.handle']);
  const next = useCommand(claimNextException, {
    success: SERVER_MESSAGE,
    refreshes: exceptionReads,
    blockMs: 300,
    onSuccess: ({ data: { orderId } }) => goTo('/orderManagement', { orderId }),
  });
  const take = () => void next.run(type === ALL ? {} : { type });
  useKeys(handles ? [{ keys: 'N', label: '领取下一件', act: take }] : []);
  const fixed = useMemo(() => (type === ALL ? {} : { type: [type] }), [type]);
  const tabs = [
    { key: ALL, label: data ? `全部（${data.total}）` : '全部' },
    ...exceptionTypes.options.map(({ value, label }) => ({
      key: value,
      label: data ? `${label}（${data.counts[value] ?? 0}）` : label,
    })),
  ];
  return (
    <>
      <ResourceList
        of={exceptions}
        fixed={fixed}
        every={30_000}
        actions={actions}
        onRowClick={({ orderId }) => goTo('/orderManagement', { orderId })}
        above={
          <Tabs
            size="small"
            tabBarStyle={{ margin: 0 }}
            activeKey={type}
            items={tabs}
            onChange={(key) => setType(exceptionTypes.codes.find((code) => code === key) ?? ALL)}
          />
        }
        toolbar={
          handles && (
            <Button type="primary" loading={next.flying} onClick={take} title="N">
              领取下一件
            </Button>
          )
        }
      />
      {layers.shown}
    </>
  );
}
