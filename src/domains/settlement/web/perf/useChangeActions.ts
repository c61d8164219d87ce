import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import {
  auditPerfChange,
  queryPerfChangeList,
  revokePerfChange,
  submitPerfChange,
  withdrawPerfChange,
  type PerfChangeRow,
} from '../../contract/calls/perfChanges.ts';
import { perfChangeMachine } from '../../contract/perfStates.ts';
import { perfReads } from './reads.ts';

export const changeActions = ['submit', 'approve', 'approveAhead', 'reject', 'withdraw', 'revoke'] as const;
export type ChangeAction = (typeof changeActions)[number];

/** What may be decided about a request, from its row or its drawer. */
export function useChangeActions() {
  const submit = useCommand(submitPerfChange, { success: '提交成功!', refreshes: perfReads });
  const withdraw = useCommand(withdrawPerfChange, { success: '操作成功!', refreshes: perfReads });
  const audit = useCommand(auditPerfChange, { success: '审核完成!', refreshes: perfReads });
  const revoke = useCommand(revokePerfChange, { success: '操作成功!', refreshes: perfReads });
  return async (row: PerfChangeRow, action: ChangeAction): Promise<void> => {
    const on = { id: row.id, version: row.version };
    if (action === 'submit') return void (await submit.run(on));
    const facts = factsIn(queryPerfChangeList.output, row, [
      'requestNo',
      'changeType',
      'fromName',
      'toName',
      'doctorName',
      'lineName',
      'effectiveDate',
      'doctorCount',
      'incomeCount',
      'makerName',
    ]);
    const opinion = await askTransition(perfChangeMachine, action, `变更单 ${row.requestNo} `, facts);
    if (opinion === null) return;
    if (action === 'withdraw') await withdraw.run(on);
    else if (action === 'revoke') await revoke.run({ ...on, opinion });
    else await audit.run({ ...on, decision: action === 'reject' ? 'reject' : 'approve', opinion });
  };
}
