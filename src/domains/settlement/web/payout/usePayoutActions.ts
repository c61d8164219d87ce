import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { askReason } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { download } from '#kernel/web/http/download.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import {
  auditPayoutBatch,
  auditPayoutBatchSecond,
  exportPayoutBankFile,
  queryPayoutBatchDetail,
  queryPayoutBatchList,
  queryPayoutItemList,
  queryTaxRecordList,
  reexportPayoutBankFile,
  returnPayoutBatchForTax,
  submitPayoutBatch,
  voidPayoutBatch,
  type PayoutRow,
} from '../../contract/calls/payouts.ts';
import { payoutMachine } from '../../contract/payoutStates.ts';

export const payoutReads = [queryPayoutBatchList, queryPayoutBatchDetail, queryPayoutItemList, queryTaxRecordList];
export type PayoutAction = keyof typeof payoutMachine.transitions;

async function save(row: PayoutRow, again: boolean): Promise<void> {
  const reason = await askReason({
    title: again ? '重新生成银行文件' : '生成银行文件',
    content: `${row.batchNo} 的文件含收款账号明文，下载记入操作日志。`,
    label: '下载原因',
  });
  if (reason === null) return;
  try {
    if (again) await download(reexportPayoutBankFile, { id: row.id, reason });
    else await download(exportPayoutBankFile, { id: row.id, version: row.version, reason });
  } catch (error) {
    toastError(failureText(error));
  }
  await refresh(...payoutReads);
}

/** What may be done with a batch, from its row. */
export function usePayoutActions() {
  const refreshes = payoutReads;
  const submit = useCommand(submitPayoutBatch, { success: '提交成功!', refreshes });
  const audit = useCommand(auditPayoutBatch, { success: '复核完成!', refreshes });
  const second = useCommand(auditPayoutBatchSecond, { success: '复核完成!', refreshes });
  const back = useCommand(returnPayoutBatchForTax, { success: '操作成功!', refreshes });
  const cancel = useCommand(voidPayoutBatch, { success: '已作废', refreshes });
  return {
    saveAgain: (row: PayoutRow) => save(row, true),
    async act(row: PayoutRow, action: PayoutAction): Promise<void> {
      if (action === 'export') return save(row, false);
      const facts = factsIn(queryPayoutBatchList.output, row, [
        'batchNo',
        'payerName',
        'itemCount',
        'grossFen',
        'taxFen',
        'netFen',
        'makerName',
      ]);
      const opinion = await askTransition(payoutMachine, action, '', facts);
      if (opinion === null) return;
      const base = { id: row.id, version: row.version };
      if (action === 'submit') await submit.run({ ...base, planPayDate: row.planPayDate });
      else if (action === 'approve' || action === 'approveFirst') await audit.run({ ...base, decision: 'approve', opinion });
      else if (action === 'reject') await audit.run({ ...base, decision: 'reject', opinion });
      else if (action === 'approveSecond') await second.run({ ...base, decision: 'approve', opinion });
      else if (action === 'rejectSecond') await second.run({ ...base, decision: 'reject', opinion });
      else if (action === 'returnForTax') await back.run({ ...base, opinion });
      else if (action === 'void') await cancel.run({ ...base, opinion });
    },
  };
}
