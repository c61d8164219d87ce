import { Alert } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { TransitionButtons } from '#kernel/web/detail/TransitionButtons.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import {
  auditContractTermination,
  cancelContractTermination,
  type ContractDetailFacts,
  type queryContractDetail,
} from '../../contract/calls/contracts.ts';
import { terminateReasons } from '../../contract/contractDictionaries.ts';
import { terminationMachine } from '../../contract/contractStates.ts';
import { contractReads } from './reads.ts';

type Row = OutputOf<typeof queryContractDetail>['terminations'][number];
const ACTIONS = ['approve', 'reject', 'cancel'] as const;

function Waiting({ contract, row }: { contract: ContractDetailFacts; row: Row }) {
  const refreshes = contractReads;
  const audit = useCommand(auditContractTermination, { success: '修改成功!', refreshes });
  const cancel = useCommand(cancelContractTermination, { success: '修改成功!', refreshes });
  const decide = async (action: (typeof ACTIONS)[number]) => {
    const opinion = await askTransition(terminationMachine, action, `合同${contract.contractNo}的终止申请`, [
      { label: '终止日期', value: row.terminatedOn },
      { label: '终止原因', value: terminateReasons.label(row.reason) },
      { label: '预计退款', value: `${yuan(row.refundFen, true)}元` },
      { label: '发起人', value: row.makerName },
    ]);
    if (opinion === null) return;
    const base = { id: row.id, version: row.version };
    if (action === 'cancel') await cancel.run(base);
    else await audit.run({ ...base, decision: action, opinion, ...(row.confirmToken !== null && { confirmToken: row.confirmToken }) });
  };
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 12 }}
      title={`终止申请待第二人确认：${row.terminatedOn} ${terminateReasons.label(row.reason)}，预计退款${yuan(row.refundFen, true)}元`}
      description={`${row.makerName} ${showInstant(row.createdAt)} 发起：${row.note}。请在${showInstant(row.expiresAt)}前确认。`}
      action={
        <div className="kq-detail-actions">
          <TransitionButtons machine={terminationMachine} actions={ACTIONS} allowed={row.allowedActions} disabled={false} onTake={decide} />
        </div>
      }
    />
  );
}

/** A termination that waits for its second person. */
export function Terminations({ contract, rows }: { contract: ContractDetailFacts; rows: readonly Row[] }) {
  return rows.filter(({ state }) => state === 'PENDING').map((row) => <Waiting key={row.id} contract={contract} row={row} />);
}
