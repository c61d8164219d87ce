import { lazy } from 'react';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { addRefundBatch } from '../../contract/calls/batches.ts';
import { exportRefund, queryRefundList, type RefundRow } from '../../contract/calls/refunds.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { moneyReads } from '../reads.ts';
import { useRefundActions, waitsForBatch } from './useRefundActions.tsx';

const RefundDrawer = lazy(async () => ({ default: (await import('./RefundDrawer.tsx')).RefundDrawer }));

const refunds = resource(queryRefundList, {
  routeKey: 'invoice.refunds',
  empty: '还没有退款单，售后通过或在「收款单」新建退款后显示',
  filters: [
    'refundNo',
    'sourceNo',
    'status',
    'sourceType',
    'way',
    'paymentNo',
    'batchNo',
    { kind: 'instants', names: ['createdFrom', 'createdTo'], label: '申请时间' },
  ],
  columns: [
    { key: 'refundNo', required: true },
    'sourceNo',
    'sourceType',
    { key: 'channel', hidden: true },
    'amountFen',
    'way',
    { key: 'reason', hidden: true },
    'batchNo',
    'failReason',
    'paymentNo',
    { key: 'makerName', hidden: true },
    { key: 'checkerName', hidden: true },
    { key: 'channelRefundNo', hidden: true },
    { key: 'attempt', hidden: true },
    'createdAt',
    { key: 'refundedAt', hidden: true },
    'status',
  ],
});

/** Tab 退款. */
export function Refunds() {
  const layers = useLayers();
  const add = useCommand(addRefundBatch, { success: '新增成功!', refreshes: moneyReads });
  const actions = useRefundActions(layers);
  const show = (row: RefundRow) => layers.open((close) => <RefundDrawer id={row.id} onClose={close} />);
  const batch: readonly BatchAction<RefundRow>[] = [
    {
      label: '加入批次',
      permission: may['refund.make'],
      nameOf: ({ refundNo }) => refundNo,
      unfit: (rows) => (rows.every(waitsForBatch) ? null : '只能选择待退款、且不由系统自动发起的退款单'),
      async all(rows, facts) {
        const content = '将所选退款单组成一个退款批次，复核后由出纳执行，确定吗?';
        if (!(await ask({ title: '加入批次', content, facts }))) return false;
        return (await add.run({ refundIds: rows.map(({ id }) => id) })) !== null;
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={refunds}
        actions={[{ label: '查看', act: show }, ...actions]}
        batch={batch}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportRefund} view={view} permission={may['payment.export']} />}
      />
      {layers.shown}
    </>
  );
}
