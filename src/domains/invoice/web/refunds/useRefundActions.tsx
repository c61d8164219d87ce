import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import type { Layers } from '#kernel/web/kit/useLayers.tsx';
import { addRefundBatch } from '../../contract/calls/batches.ts';
import { auditOfflineRefund, auditRefund, queryRefundList, queryRefundResult, type RefundRow } from '../../contract/calls/refunds.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';
import { refundMachine } from '../../contract/states.ts';
import { moneyReads } from '../reads.ts';

const ReopenForm = lazy(async () => ({ default: (await import('./ReopenForm.tsx')).ReopenForm }));
const TransferForm = lazy(async () => ({ default: (await import('./TransferForm.tsx')).TransferForm }));

const done = { success: '操作成功!', refreshes: moneyReads } as const;
/** Passed, and no job sends it. */
export const waitsForBatch = ({ status, byItself }: RefundRow): boolean => status === 'APPROVED' && !byItself;

/** What may be done with a refund, in its list and over its details. */
export function useRefundActions(layers: Pick<Layers, 'open'>): readonly RowAction<RefundRow>[] {
  const audit = useCommand(auditRefund, done);
  const auditOffline = useCommand(auditOfflineRefund, done);
  const sync = useCommand(queryRefundResult, { success: '操作成功!', refreshes: moneyReads });
  const batch = useCommand(addRefundBatch, { success: '新增成功!', refreshes: moneyReads });
  const factsOf = (row: RefundRow) =>
    factsIn(queryRefundList.output, row, [
      'refundNo',
      'sourceNo',
      'amountFen',
      'way',
      ...(row.way === 'OFFLINE' ? (['payeeName', 'payeeBank', 'payeeAccountMasked'] as const) : []),
      'reason',
      'makerName',
    ]);
  const can =
    (...names: readonly string[]) =>
    ({ allowedActions }: RefundRow) =>
      names.some((name) => allowedActions.includes(name));
  const decide = async (row: RefundRow, decision: 'approve' | 'reject') => {
    const opinion = await askTransition(refundMachine, decision, `退款单${row.refundNo}`, factsOf(row));
    if (opinion !== null) await audit.run({ refundId: row.id, version: row.version, decision, opinion });
  };
  const decideOffline = async (row: RefundRow, decision: 'confirm' | 'deny') => {
    const opinion = await askTransition(refundMachine, decision, `退款单${row.refundNo}`, factsOf(row));
    if (opinion !== null) await auditOffline.run({ refundId: row.id, version: row.version, decision, opinion });
  };
  const single = async (row: RefundRow) => {
    const content = `将为退款单${row.refundNo}建立单笔退款批次，复核后由出纳执行，确定吗?`;
    if (await ask({ title: '立即退款', content, facts: factsOf(row) })) await batch.run({ refundIds: [row.id] });
  };
  return [
    { label: '审核通过', permission: may['refund.approve'], when: can('approve'), act: (row) => decide(row, 'approve') },
    { label: '驳回', permission: may['refund.approve'], danger: true, when: can('reject'), act: (row) => decide(row, 'reject') },
    { label: '立即退款', permission: may['refund.make'], when: waitsForBatch, act: single },
    {
      label: '登记线下退款',
      permission: may['refund.execute'],
      when: can('register'),
      act: (row) => layers.open((close) => <TransferForm refund={row} onClose={close} />),
    },
    { label: '复核线下退款', permission: may['refund.approve'], when: can('confirm'), act: (row) => decideOffline(row, 'confirm') },
    { label: '驳回线下登记', permission: may['refund.approve'], danger: true, when: can('deny'), act: (row) => decideOffline(row, 'deny') },
    {
      label: '重新处理',
      permission: may['refund.make'],
      when: can('reopen', 'reopenOffline'),
      act: (row) => layers.open((close) => <ReopenForm refund={row} onClose={close} />),
    },
    {
      label: '查询结果',
      when: ({ status, way }) => status === 'UNKNOWN' || (status === 'PROCESSING' && way === 'ORIGINAL'),
      act: ({ id }) => sync.run({ refundId: id }),
    },
  ];
}
