import { Button, Drawer, Skeleton } from 'antd';
import { lazy } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryRefundDetail } from '../../contract/calls/refunds.ts';
import { refundMachine } from '../../contract/states.ts';
import { PayeeAccount } from './PayeeAccount.tsx';
import { useRefundActions } from './useRefundActions.tsx';

const VoucherPreview = lazy(async () => ({ default: (await import('./VoucherPreview.tsx')).VoucherPreview }));

const out = queryRefundDetail.output;
const refundOut = out.shape.refund;

/** One refund: its sums, to whom it goes, the transfer's paper, its story. */
export function RefundDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryRefundDetail, { refundId: id }, { quiet: true });
  const layers = useLayers();
  const can = useMay();
  const actions = useRefundActions(layers);
  const refund = data?.refund;
  const voucher = data?.voucher;
  const offered = actions.filter(
    ({ when, permission }) => refund && (when?.(refund) ?? true) && (permission === undefined || can(permission)),
  );
  return (
    <Drawer
      open
      title={refund ? `退款单 ${refund.refundNo}` : '退款单'}
      size="min(960px, 94vw)"
      onClose={onClose}
      footer={
        refund &&
        offered.length > 0 && (
          <div className="kq-detail-actions">
            {offered.map((action) => (
              <Button key={action.label} danger={action.danger ?? false} onClick={() => void action.act(refund)}>
                {action.label}
              </Button>
            ))}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !refund ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(refundOut, refund, [
              'paymentNo',
              'sourceNo',
              'sourceType',
              'channel',
              'amountFen',
              'way',
              'status',
              'attempt',
              'batchNo',
              'channelRefundNo',
              'refundedAt',
              'failReason',
              'makerName',
              'checkerName',
              'createdAt',
              'reason',
            ])}
          />
          {refund.way === 'OFFLINE' && (
            <Section title="线下退款">
              <Facts
                facts={[
                  ...factsIn(refundOut, refund, ['payeeName', 'payeeBank']),
                  { label: '收款账号', value: <PayeeAccount refund={refund} /> },
                  ...factsIn(out, data, ['bankSerialNo', 'paidOn', 'voucherByName', 'voucherCheckerName']),
                  {
                    label: '转账凭证',
                    value: voucher ? (
                      <Button
                        type="link"
                        size="small"
                        style={{ padding: 0, height: 'auto' }}
                        onClick={() => layers.open((close) => <VoucherPreview ownerId={refund.id} file={voucher} onClose={close} />)}
                      >
                        {voucher.fileName}
                      </Button>
                    ) : (
                      '—'
                    ),
                  },
                ]}
              />
            </Section>
          )}
          <Section title="操作记录">
            <AuditTimeline rows={data.trail} machine={refundMachine} />
          </Section>
        </>
      )}
      {layers.shown}
    </Drawer>
  );
}
