import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { newKey } from '#kernel/web/http/request.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { auditManualOrder, exportManualOrderList, queryManualOrderList, type ManualOrderRow } from '../../contract/calls/manualOrders.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { HIGH_MANUAL_FEN } from '../../contract/rules/manualOrder.ts';
import { revealManual } from './revealManual.ts';
import { StoreSelect } from '../selects.tsx';

const ManualDrawer = lazy(async () => ({ default: (await import('./ManualDrawer.tsx')).ManualDrawer }));
const NewManual = lazy(async () => ({ default: (await import('./ManualForm.tsx')).NewManual }));

const manualOrders = resource(queryManualOrderList, {
  routeKey: 'manualorders',
  empty: '没有符合条件的手工订单；点击“新增手工订单”补录线下购药',
  filters: [
    'manualNo',
    'receiptNo',
    { name: 'patientKeyword', placeholder: '完整姓名、手机号或身份证号' },
    { kind: 'picker', name: 'drugstoreId', picker: StoreSelect },
    'reasonCode',
    'state',
    'makerName',
    { kind: 'days', names: ['purchaseFrom', 'purchaseTo'], label: '购药日期' },
    'mine',
  ],
  columns: [
    { key: 'manualNo', required: true },
    { key: 'buyerName', masked: { permission: may['order.reveal'], reveal: revealManual('buyerName') } },
    'drugstoreName',
    'receiptNo',
    'purchaseDate',
    'goodsFen',
    'benefitFen',
    'cardFen',
    'selfPayFen',
    'state',
    'matchExplain',
    'makerName',
    'checkerName',
    {
      key: 'orderNo',
      render: (row: ManualOrderRow) =>
        row.orderId === null ? null : (
          <PageLink to="/orderManagement" search={{ orderId: row.orderId }}>
            {row.orderNo}
          </PageLink>
        ),
    },
    'reasonCode',
    { key: 'failReason', hidden: true },
    { key: 'buyerMobile', masked: { permission: may['order.reveal'], reveal: revealManual('mobile') }, hidden: true },
    { key: 'source', hidden: true },
    { key: 'createdAt', hidden: true },
  ],
});

/** A review of many: each is let pass by itself, and what needs a closer look is refused by the server and named. */
const batch: readonly BatchAction<ManualOrderRow>[] = [
  {
    label: '批量复核通过',
    permission: may['manual.review'],
    opinion: 'optional',
    when: ({ allowedActions }) => allowedActions.includes('approve'),
    nameOf: ({ manualNo }) => manualNo,
    unfit: (rows) => (rows.length > 50 ? '一次最多复核50单' : null),
    each: (row, opinion) =>
      send(
        auditManualOrder,
        {
          manualOrderId: row.id,
          version: row.version,
          level: row.goodsFen >= HIGH_MANUAL_FEN ? 'HIGH' : 'NORMAL',
          decision: 'approve',
          opinion,
        },
        { quiet: true, idempotencyKey: newKey() },
      ),
  },
];

/** 手工补录: purchases outside of the system. */
export function ManualList() {
  const { path, search } = usePage();
  const allowed = useMay();
  const layers = useLayers();
  const shown = typeof search['manualOrderId'] === 'string' ? search['manualOrderId'] : null;
  const open = (manualOrderId: string | undefined) => goTo(path, { ...search, manualOrderId }, { replace: true });
  const add = () => layers.open((close) => <NewManual onClose={close} />);
  const actions: readonly RowAction<ManualOrderRow>[] = [
    { label: '详情', act: ({ id }) => open(id) },
    {
      label: '复核',
      permission: may['manual.review'],
      when: ({ allowedActions }) => allowedActions.includes('approve') || allowedActions.includes('approveHigh'),
      act: ({ id }) => open(id),
    },
  ];
  return (
    <>
      <ResourceList
        of={manualOrders}
        every={30_000}
        actions={actions}
        batch={batch}
        onRowClick={({ id }) => open(id)}
        toolbar={(view) => (
          <>
            {allowed(may['manual.edit']) && (
              <Button type="primary" onClick={add}>
                新增手工订单
              </Button>
            )}
            <ExportButton call={exportManualOrderList} view={view} permission={may['manual.export']} />
          </>
        )}
      />
      {layers.shown}
      <Suspense fallback={null}>{shown && <ManualDrawer manualOrderId={shown} onClose={() => open(undefined)} />}</Suspense>
    </>
  );
}
