import { Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ImportWizard } from '#kernel/web/files/ImportWizard.tsx';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { PAYOUT_RESULT_IMPORTER, queryPayoutBatchDetail } from '../../contract/calls/payouts.ts';
import { payoutMachine } from '../../contract/payoutStates.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Items } from './Items.tsx';
import { payoutReads, usePayoutActions, type PayoutAction } from './usePayoutActions.ts';

const ACTIONS: readonly PayoutAction[] = [
  'submit',
  'approve',
  'approveFirst',
  'approveSecond',
  'export',
  'reject',
  'rejectSecond',
  'returnForTax',
  'void',
];

/** One batch: sums, file, rows, what the bank said, its story. */
export function PayoutDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryPayoutBatchDetail, { id }, { quiet: true });
  const [importing, setImporting] = useState(false);
  const { act } = usePayoutActions();
  const can = useMay();
  const batch = data?.batch;
  return (
    <Drawer
      open
      title={batch ? `付款批次 ${batch.batchNo}` : '付款批次'}
      size="min(1180px, 94vw)"
      onClose={onClose}
      footer={
        batch && (
          <div className="kq-detail-actions">
            {ACTIONS.filter((action) => batch.allowedActions.includes(action)).map((action) => (
              <Button key={action} danger={payoutMachine.transitions[action].danger ?? false} onClick={() => void act(batch, action)}>
                {payoutMachine.transitions[action].label}
              </Button>
            ))}
            {batch.exportedAt !== null && can(may['payout.result']) && <Button onClick={() => setImporting(true)}>导入回盘</Button>}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !batch ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={[
              ...factsIn(queryPayoutBatchDetail.output.shape.batch, batch, [
                'payerName',
                'taxMonth',
                'planPayDate',
                'itemCount',
                'grossFen',
                'taxFen',
                'netFen',
                'successCount',
                'failCount',
                'openCount',
                'makerName',
                'checkerName',
                'secondCheckerName',
                'exportedByName',
                'exportedAt',
                'status',
              ]),
              ...(data.fileSha256 === null
                ? []
                : [{ label: '银行文件', value: `已下载${data.exportCount}次，校验值 ${data.fileSha256}`, wide: true }]),
            ]}
          />
          <Section title="付款明细">
            <Items batchId={id} />
          </Section>
          <Section title="审核记录">
            <AuditTimeline rows={data.trail} machine={payoutMachine} />
          </Section>
        </>
      )}
      <ImportWizard
        importerCode={PAYOUT_RESULT_IMPORTER}
        params={{ batchId: id }}
        open={importing}
        onClose={() => setImporting(false)}
        onChanged={() => void refresh(...payoutReads)}
      />
    </Drawer>
  );
}
