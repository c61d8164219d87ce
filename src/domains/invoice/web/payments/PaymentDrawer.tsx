import { Button, Drawer, Skeleton } from 'antd';
import { lazy } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { queryChannelResult, queryPaymentDetail } from '../../contract/calls/payments.ts';
import type { RefundRow } from '../../contract/calls/refunds.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { paymentMachine } from '../../contract/states.ts';
import { moneyReads } from '../reads.ts';

const RefundForm = lazy(async () => ({ default: (await import('../refunds/RefundForm.tsx')).RefundForm }));

const { payment: paymentOut, refunds: refundsOut } = queryPaymentDetail.output.shape;
const refundColumns = columnsOf<RefundRow>(refundsOut.def.element, [
  { key: 'refundNo', required: true },
  'sourceType',
  'amountFen',
  'way',
  'reason',
  'batchNo',
  'refundedAt',
  'failReason',
  'status',
]);

/** One payment: sums, what went back of it, its story. */
export function PaymentDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryPaymentDetail, { paymentId: id }, { quiet: true });
  const layers = useLayers();
  const sync = useCommand(queryChannelResult, { success: '操作成功!', refreshes: moneyReads });
  const can = useMay();
  const payment = data?.payment;
  const isOpen = payment?.status === 'PENDING' || payment?.status === 'UNKNOWN';
  const canRefund = payment !== undefined && payment.refundableFen > 0 && can(may['refund.make']);
  return (
    <Drawer
      open
      title={payment ? `收款单 ${payment.paymentNo}` : '收款单'}
      size="min(1080px, 94vw)"
      onClose={onClose}
      footer={
        payment &&
        (isOpen || canRefund) && (
          <div className="kq-detail-actions">
            {isOpen && (
              <Button loading={sync.flying} onClick={() => void sync.run({ paymentId: id })}>
                查询结果
              </Button>
            )}
            {canRefund && (
              <Button onClick={() => layers.open((close) => <RefundForm payment={payment} onClose={close} />)}>新建退款</Button>
            )}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !payment ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(paymentOut, payment, [
              'sourceNo',
              'title',
              'channel',
              'amountFen',
              'receivedFen',
              'refundedFen',
              'refundingFen',
              'refundableFen',
              'status',
              'flag',
              'channelTradeNo',
              'createdAt',
              'expireAt',
              'paidAt',
              'failReason',
            ])}
          />
          <Section title="退款">
            <DataTable columns={refundColumns} rows={data.refunds} height="auto" empty="没有退款" />
          </Section>
          <Section title="操作记录">
            <AuditTimeline rows={data.trail} machine={paymentMachine} />
          </Section>
        </>
      )}
      {layers.shown}
    </Drawer>
  );
}
