import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { newKey } from '#kernel/web/http/request.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { querySignContractCounts, querySignContractDetail, querySignContractList, type ApplyRow } from '../../contract/calls/applies.ts';
import { auditSignContract, takeoverSignContract } from '../../contract/calls/appliesWork.ts';

type Simple = 'withdraw' | 'appeal' | 'revokeApproval';
type Shown = Pick<ApplyRow, 'id' | 'applyNo' | 'version' | 'insuredName' | 'productName' | 'state'>;
export const applyRefreshes = [querySignContractList, querySignContractCounts, querySignContractDetail];

/** Acts on an application that ask for nothing but an opinion. */
export function useApplyActions() {
  const audit = useCommand(auditSignContract, { refreshes: applyRefreshes, success: 'message' });
  const over = useCommand(takeoverSignContract, { refreshes: applyRefreshes, success: '已接管' });
  const asked = (row: Shown, label: string, danger = false) =>
    confirmWithOpinion({
      title: label,
      content: `确定要${label}“${row.applyNo}”吗?`,
      facts: factsIn(querySignContractList.output, row, ['applyNo', 'insuredName', 'productName', 'state']),
      danger,
    });
  return {
    async decide(row: Shown, action: Simple): Promise<void> {
      const { label, danger } = applyMachine.transitions[action];
      const opinion = await asked(row, label, danger);
      if (opinion !== null) await audit.run({ applyId: row.id, version: row.version, action, opinion }, { idempotencyKey: newKey() });
    },
    async takeover(row: Shown): Promise<void> {
      const opinion = await asked(row, '接管');
      if (opinion !== null) await over.run({ applyId: row.id, opinion });
    },
  };
}
