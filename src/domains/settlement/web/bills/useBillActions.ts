import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import {
  auditSettlementBill,
  holdSettlementBill,
  querySettlementBillDetail,
  querySettlementBillList,
  recalcSettlementBill,
  retryPaySettlementBill,
  submitSettlementBill,
  unholdSettlementBill,
  voidSettlementBill,
  type BillRow,
} from '../../contract/calls/bills.ts';
import { billMachine } from '../../contract/billStates.ts';

const billReads = [querySettlementBillList, querySettlementBillDetail];
export type BillAction = keyof typeof billMachine.transitions;

/** What may be done with a bill, from its row. */
export function useBillActions() {
  const options = { success: '操作成功!', refreshes: billReads } as const;
  const submit = useCommand(submitSettlementBill, { success: '提交成功!', refreshes: billReads });
  const audit = useCommand(auditSettlementBill, { success: '审核完成!', refreshes: billReads });
  const recalc = useCommand(recalcSettlementBill, options);
  const hold = useCommand(holdSettlementBill, options);
  const unhold = useCommand(unholdSettlementBill, options);
  const retry = useCommand(retryPaySettlementBill, options);
  const cancel = useCommand(voidSettlementBill, { success: '已作废', refreshes: billReads });
  return async (row: BillRow, action: BillAction): Promise<void> => {
    const facts = factsIn(querySettlementBillList.output, row, ['billNo', 'doctorName', 'period', 'grossFen', 'estTaxFen', 'meanFen']);
    const opinion = await askTransition(billMachine, action, '', facts);
    if (opinion === null) return;
    const base = { id: row.id, version: row.version };
    if (action === 'submit') await submit.run(base);
    else if (action === 'approve' || action === 'reject') await audit.run({ ...base, decision: action, opinion });
    else if (action === 'recalc') await recalc.run(base);
    else if (action === 'hold') await hold.run({ ...base, opinion });
    else if (action === 'retryPay') await retry.run({ ...base, opinion });
    else if (action === 'void') await cancel.run({ ...base, opinion });
    else await unhold.run({ ...base, opinion });
  };
}
