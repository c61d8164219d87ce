import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { yuan } from '#kernel/contract/money.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { ReportFilters, TotalsLine } from '#kernel/web/list/totals.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { claimNextRx, exportOrderList, queryOrderSum, type OrderRow } from '../../contract/calls/orders.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { orderList } from './orderList.tsx';
import { orderReads } from './reads.ts';
import { useOrderActions } from './useOrderActions.tsx';

const OrderDrawer = lazy(async () => ({ default: (await import('./OrderDrawer.tsx')).OrderDrawer }));

type Filters = InputOf<typeof queryOrderSum>;

/** Totals over the filter, below the list. */
function Totals({ filters }: { filters: string }) {
  const { data } = useData(queryOrderSum, JSON.parse(filters) as Filters, { quiet: true, fresh: 5_000 });
  if (!data) return null;
  const parts = [
    ['订单', `${data.orders} 单`],
    ['应付', `¥${yuan(data.payableFen, true)}`],
    ['自付', `¥${yuan(data.selfPayFen, true)}`],
    ['直付', `¥${yuan(data.benefitFen, true)}`],
    ['卡抵扣', `¥${yuan(data.cardFen, true)}`],
  ] as const;
  return <TotalsLine parts={parts} />;
}

/** Orders of one state, or all of them. */
export function Orders({ fixed }: { fixed: Partial<Filters> }) {
  const { path, search } = usePage();
  const shown = typeof search['orderId'] === 'string' ? search['orderId'] : null;
  const layers = useLayers();
  const allowed = useMay();
  const [filters, setFilters] = useState('{}');
  const changes = useOrderActions(layers);
  const open = (orderId: string | undefined, view?: string) => goTo(path, { ...search, orderId, view }, { replace: true });
  const next = useCommand(claimNextRx, { refreshes: orderReads, blockMs: 300, onSuccess: ({ data }) => open(data.id, 'rx') });
  const reads = allowed(may['rx.audit']);
  useKeys(reads ? [{ keys: 'N', label: '领取下一单审方', act: () => void next.run({}) }] : []);
  const actions: readonly RowAction<OrderRow>[] = [
    { label: '详情', act: (row) => open(row.id) },
    { label: '审方', permission: may['rx.audit'], when: ({ state }) => state === 'PENDING_RX', act: (row) => open(row.id, 'rx') },
    {
      label: orderMachine.transitions.editAddress.label,
      permission: may['order.edit'],
      when: ({ allowedActions, orderType }) => orderType === 'B2C' && allowedActions.includes('editAddress'),
      act: (row) => changes.editAddress(row),
    },
    {
      label: '备注',
      permission: may['order.edit'],
      when: ({ allowedActions }) => allowedActions.includes('remark'),
      act: (row) => changes.remark(row),
    },
    {
      label: orderMachine.transitions.cancel.label,
      permission: may['order.cancel'],
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('cancel'),
      act: (row) => changes.cancel(row),
    },
  ];
  const shownPart = (['rx', 'exceptions'] as const).find((one) => one === search['view']) ?? 'facts';
  return (
    <>
      <ResourceList
        of={orderList}
        fixed={fixed}
        every={30_000}
        onRowClick={(row) => open(row.id)}
        actions={actions}
        toolbar={(view) => {
          const all = { ...view.filters, ...fixed };
          return (
            <>
              {reads && (
                <Button type="primary" loading={next.flying} onClick={() => void next.run({})} title="N">
                  领取下一单审方
                </Button>
              )}
              <ExportButton call={exportOrderList} view={{ ...view, filters: all }} permission={may['order.export']} />
              <ReportFilters filters={all} onChange={setFilters} />
            </>
          );
        }}
      />
      <Totals filters={filters} />
      {layers.shown}
      <Suspense fallback={null}>
        {shown && <OrderDrawer key={`${shown} ${shownPart}`} orderId={shown} view={shownPart} onClose={() => open(undefined)} />}
      </Suspense>
    </>
  );
}
