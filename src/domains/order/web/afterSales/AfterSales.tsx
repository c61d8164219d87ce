import { lazy, Suspense } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { exportAfterSaleList, queryAfterSaleList } from '../../contract/calls/afterSales.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';

const AfterSaleDrawer = lazy(async () => ({ default: (await import('./AfterSaleDrawer.tsx')).AfterSaleDrawer }));

const afterSales = resource(queryAfterSaleList, {
  routeKey: 'orderManagement:afterSales',
  empty: '没有售后单；在订单详情里发起售后',
  filters: [
    'afterSaleNo',
    'orderNo',
    'type',
    'reasonCode',
    'state',
    { kind: 'days', names: ['createdFrom', 'createdTo'], label: '发起时间' },
  ],
  columns: [
    { key: 'afterSaleNo', required: true },
    'orderNo',
    'buyerName',
    'type',
    'reasonCode',
    'goodsText',
    'refundFen',
    'state',
    'makerName',
    'checkerName',
    'createdAt',
    { key: 'doneAt', hidden: true },
  ],
});

/** 售后: what comes back of orders, and its money. */
export function AfterSales() {
  const { path, search } = usePage();
  const shown = typeof search['afterSaleId'] === 'string' ? search['afterSaleId'] : null;
  const open = (afterSaleId: string | undefined) => goTo(path, { ...search, afterSaleId }, { replace: true });
  return (
    <>
      <ResourceList
        of={afterSales}
        every={30_000}
        onRowClick={({ id }) => open(id)}
        actions={[{ label: '详情', act: ({ id }) => open(id) }]}
        toolbar={(view) => <ExportButton call={exportAfterSaleList} view={view} permission={may['order.export']} />}
      />
      <Suspense fallback={null}>{shown && <AfterSaleDrawer afterSaleId={shown} onClose={() => open(undefined)} />}</Suspense>
    </>
  );
}
