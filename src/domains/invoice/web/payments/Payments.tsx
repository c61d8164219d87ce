import { lazy } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { grouped, yuan } from '#kernel/contract/money.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportPayment, queryChannelResult, queryPaymentList, queryPaymentTotal, type PaymentRow } from '../../contract/calls/payments.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { moneyReads } from '../reads.ts';

const PaymentDrawer = lazy(async () => ({ default: (await import('./PaymentDrawer.tsx')).PaymentDrawer }));
const RefundForm = lazy(async () => ({ default: (await import('../refunds/RefundForm.tsx')).RefundForm }));

const payments = resource(queryPaymentList, {
  routeKey: 'invoice',
  empty: '还没有收款单，订单发起支付后自动生成',
  filters: ['paymentNo', 'sourceNo', 'channel', 'status', 'flag', { kind: 'instants', names: ['paidFrom', 'paidTo'], label: '支付时间' }],
  columns: [
    { key: 'paymentNo', required: true },
    'sourceNo',
    { key: 'title', hidden: true },
    'channel',
    'amountFen',
    'receivedFen',
    'refundedFen',
    'refundingFen',
    { key: 'refundableFen', hidden: true },
    'flag',
    { key: 'channelTradeNo', hidden: true },
    'createdAt',
    'paidAt',
    { key: 'expireAt', hidden: true },
    { key: 'failReason', hidden: true },
    'status',
  ],
});

/** Sums of everything that the filters find. */
function Totals({ filters }: { filters: InputOf<typeof queryPaymentTotal> }) {
  const { data } = useData(queryPaymentTotal, filters, { quiet: true });
  if (!data) return null;
  return (
    <span className="kq-muted">
      共 {grouped(data.count)} 笔，实收 {yuan(data.received, true)} 元，待退 {yuan(data.refunding, true)} 元，已退{' '}
      {yuan(data.refunded, true)} 元
    </span>
  );
}

/** Tab 收款单. */
export function Payments() {
  const layers = useLayers();
  const sync = useCommand(queryChannelResult, { success: '操作成功!', refreshes: moneyReads });
  const show = (row: PaymentRow) => layers.open((close) => <PaymentDrawer id={row.id} onClose={close} />);
  const actions: readonly RowAction<PaymentRow>[] = [
    { label: '查看', act: show },
    {
      label: '查询结果',
      when: ({ status }) => status === 'PENDING' || status === 'UNKNOWN',
      act: ({ id }) => sync.run({ paymentId: id }),
    },
    {
      label: '新建退款',
      permission: may['refund.make'],
      when: ({ refundableFen }) => refundableFen > 0,
      act: (row) => layers.open((close) => <RefundForm payment={row} onClose={close} />),
    },
  ];
  return (
    <>
      <ResourceList
        of={payments}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <ExportButton call={exportPayment} view={view} permission={may['payment.export']} />
            <Totals filters={view.filters} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
