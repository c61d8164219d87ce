import { Button, Tabs } from 'antd';
import { useMemo, useState } from 'react';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { claimNextException, queryExceptionCounts, queryExceptionList, type ExceptionRow } from '../../contract/calls/exceptions.ts';
import { exceptionTypes, type ExceptionType } from '../../contract/orderDictionaries.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { useExceptionActions } from '../fulfilment/useExceptionActions.tsx';
import { exceptionReads } from '../exceptionReads.ts';

const ALL = 'ALL';
/** The order opens where its exceptions are mended. */
const orderOf = ({ orderId }: Pick<ExceptionRow, 'orderId'>) => ({ orderId, view: 'exceptions' });

const exceptions = resource(queryExceptionList, {
  routeKey: 'manualorders:exceptions',
  empty: '没有异常工单；订单履约正常时这里为空',
  filters: ['exceptionNo', 'orderNo', 'state', 'mine', 'overSla'],
  columns: [
    { key: 'exceptionNo', required: true },
    {
      key: 'orderNo',
      render: (row: ExceptionRow) => (
        <PageLink to="/orderManagement" search={orderOf(row)}>
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

/** 异常工单: stuck orders by what stands in their way. */
export function Exceptions() {
  const [type, setType] = useState<ExceptionType | typeof ALL>(ALL);
  const { data } = useData(queryExceptionCounts, {}, { quiet: true, every: 60_000 });
  const layers = useLayers();
  const handling = useExceptionActions(layers);
  const handles = useMay()(may['exception.handle']);
  const next = useCommand(claimNextException, {
    success: SERVER_MESSAGE,
    refreshes: exceptionReads,
    blockMs: 300,
    onSuccess: ({ data }) => goTo('/orderManagement', orderOf(data)),
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
        actions={[{ label: '查看订单', act: (row) => goTo('/orderManagement', orderOf(row)) }, ...handling]}
        onRowClick={(row) => goTo('/orderManagement', orderOf(row))}
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
