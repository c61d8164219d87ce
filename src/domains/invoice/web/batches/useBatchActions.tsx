import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import type { Layers } from '#kernel/web/kit/useLayers.tsx';
import { auditRefundBatch, queryRefundBatchList, voidRefundBatch, type RefundBatchRow } from '../../contract/calls/batches.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { refundBatchMachine } from '../../contract/states.ts';
import { moneyReads } from '../reads.ts';

const ExecuteForm = lazy(async () => ({ default: (await import('./ExecuteForm.tsx')).ExecuteForm }));

/** What may be done with a batch, in its list and over its details. */
export function useBatchActions(layers: Pick<Layers, 'open'>): readonly RowAction<RefundBatchRow>[] {
  const audit = useCommand(auditRefundBatch, { success: '复核完成!', refreshes: moneyReads });
  const annul = useCommand(voidRefundBatch, { success: '已作废', refreshes: moneyReads });
  const opinionOf = (row: RefundBatchRow, action: 'approve' | 'reject' | 'void') =>
    askTransition(
      refundBatchMachine,
      action,
      `退款批次${row.batchNo}`,
      factsIn(queryRefundBatchList.output, row, ['batchNo', 'itemCount', 'amountFen', 'makerName', 'createdAt']),
    );
  const decide = async (row: RefundBatchRow, decision: 'approve' | 'reject') => {
    const opinion = await opinionOf(row, decision);
    if (opinion !== null) await audit.run({ refundBatchId: row.id, version: row.version, decision, opinion });
  };
  const can =
    (name: string) =>
    ({ allowedActions }: RefundBatchRow) =>
      allowedActions.includes(name);
  return [
    { label: '复核通过', permission: may['refund.approve'], when: can('approve'), act: (row) => decide(row, 'approve') },
    { label: '驳回并作废', permission: may['refund.approve'], danger: true, when: can('reject'), act: (row) => decide(row, 'reject') },
    {
      label: '执行批量退款',
      permission: may['refund.execute'],
      when: can('execute'),
      act: (row) => layers.open((close) => <ExecuteForm batch={row} onClose={close} />),
    },
    {
      label: '作废',
      permission: may['refund.make'],
      danger: true,
      when: can('void'),
      async act(row) {
        const opinion = await opinionOf(row, 'void');
        if (opinion !== null) await annul.run({ refundBatchId: row.id, version: row.version, opinion });
      },
    },
  ];
}
