import { Empty } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { TransitionButtons } from '#kernel/web/detail/TransitionButtons.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { auditContractAmendment, cancelContractAmendment } from '../../contract/calls/contractAmendments.ts';
import { amendmentRow, type queryContractDetail } from '../../contract/calls/contracts.ts';
import { amendmentTypes } from '../../contract/contractDictionaries.ts';
import { amendmentMachine } from '../../contract/contractStates.ts';
import { contractReads } from './reads.ts';

type Row = OutputOf<typeof queryContractDetail>['amendments'][number];
const ACTIONS = ['approve', 'reject', 'cancel'] as const;
const shown = (value: unknown) => (typeof value === 'string' && value !== '' ? value : NOTHING);

function Amendment({ row }: { row: Row }) {
  const refreshes = contractReads;
  const audit = useCommand(auditContractAmendment, { success: '修改成功!', refreshes });
  const cancel = useCommand(cancelContractAmendment, { success: '修改成功!', refreshes });
  const decide = async (action: (typeof ACTIONS)[number]) => {
    const opinion = await askTransition(
      amendmentMachine,
      action,
      '这项变更',
      factsIn(amendmentRow, row, ['type', 'effectiveOn', 'reason', 'makerName']),
    );
    if (opinion === null) return;
    const base = { amendmentId: row.id, version: row.version };
    if (action === 'cancel') await cancel.run(base);
    else await audit.run({ ...base, decision: action, opinion });
  };
  const waits = row.state === 'APPROVED' && !row.applied;
  return (
    <Section
      title={
        <>
          第{row.seq}次变更 {amendmentTypes.label(row.type)} <Dict of={amendmentMachine.dictionary} code={row.state} />
        </>
      }
      extra={
        <TransitionButtons machine={amendmentMachine} actions={ACTIONS} allowed={row.allowedActions} disabled={false} onTake={decide} />
      }
    >
      <Facts
        facts={[
          ...factsIn(amendmentRow, row, ['effectiveOn', 'makerName', 'createdAt', 'checkerName', 'decidedAt', 'reason']),
          ...(row.opinion === null ? [] : [{ label: '审批意见', value: row.opinion }]),
          ...(waits ? [{ label: '说明', value: `将于${row.effectiveOn}写入合同` }] : []),
          ...row.changes.map(({ label, before, after }) => ({ label, value: `${shown(before)} → ${shown(after)}`, wide: true })),
        ]}
      />
      {row.files.length > 0 && (
        <div style={{ maxWidth: 320 }}>
          <FileButtons ownerType="enrolment.amendment" ownerId={row.id} files={row.files} />
        </div>
      )}
    </Section>
  );
}

/** Tab 变更记录: the newest change first. */
export function Amendments({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return <Empty description="合同没有变更过" />;
  return rows.map((row) => <Amendment key={row.id} row={row} />);
}
