import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import {
  auditIncentiveChange,
  auditIncentiveProgram,
  closeIncentiveProgram,
  pauseIncentiveProgram,
  programChangeRow,
  queryIncentiveFactList,
  queryIncentiveProgramDetail,
  queryIncentiveProgramList,
  resumeIncentiveProgram,
  submitIncentiveProgram,
  type ProgramChangeRow,
  type ProgramRow,
} from '../../contract/calls/incentive.ts';
import { programChangeMachine, programMachine } from '../../contract/programStates.ts';

const refreshes = [queryIncentiveProgramList, queryIncentiveProgramDetail, queryIncentiveFactList];
export type ProgramAction = 'submit' | 'approve' | 'reject' | 'pause' | 'resume' | 'close';

/** What may be decided about a programme, from its row or its drawer. */
export function useProgramActions() {
  const submit = useCommand(submitIncentiveProgram, { success: '提交成功!', refreshes });
  const audit = useCommand(auditIncentiveProgram, { success: '审核完成!', refreshes });
  const pause = useCommand(pauseIncentiveProgram, { success: '操作成功!', refreshes });
  const resume = useCommand(resumeIncentiveProgram, { success: '操作成功!', refreshes });
  const close = useCommand(closeIncentiveProgram, { success: '操作成功!', refreshes });
  const change = useCommand(auditIncentiveChange, { success: '审核完成!', refreshes });
  return {
    async act(row: ProgramRow, action: ProgramAction): Promise<void> {
      const on = { id: row.id, version: row.version };
      if (action === 'submit') return void (await submit.run(on));
      const facts = factsIn(queryIncentiveProgramList.output, row, [
        'programNo',
        'programName',
        'companyName',
        'startDate',
        'endDate',
        'budgetFen',
        'leftFen',
        'makerName',
      ]);
      const opinion = await askTransition(programMachine, action, '', facts);
      if (opinion === null) return;
      if (action === 'approve' || action === 'reject') await audit.run({ ...on, decision: action, opinion });
      else if (action === 'pause') await pause.run({ ...on, opinion });
      else if (action === 'resume') await resume.run({ ...on, opinion });
      else await close.run({ ...on, opinion });
    },
    async decide(row: ProgramChangeRow, decision: 'approve' | 'reject'): Promise<void> {
      const facts = factsIn(programChangeRow, row, ['kind', 'amountFen', 'introduction', 'batchNo', 'factCount', 'reason', 'makerName']);
      const opinion = await askTransition(programChangeMachine, decision, '', facts);
      if (opinion !== null) await change.run({ id: row.id, version: row.version, decision, opinion });
    },
  };
}
