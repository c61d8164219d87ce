import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import {
  addReverseBatch,
  auditInsuredBatch,
  queryInsuredBatchDetail,
  queryInsuredBatchImpact,
  queryInsuredBatchList,
  queryInsuredBatchRowList,
  queryInsuredBatchUndo,
  type BatchRow,
} from '../../contract/calls/batches.ts';
import { listPermissions as may } from '../../contract/permissions.ts';

export const batchReads = [
  queryInsuredBatchList,
  queryInsuredBatchDetail,
  queryInsuredBatchRowList,
  queryInsuredBatchImpact,
  queryInsuredBatchUndo,
];
/** What a question about a list shows. */
const ABOUT = ['batchNo', 'insurerName', 'policyNos', 'addRows', 'modifyRows', 'removeRows', 'premiumDeltaFen'] as const;
export type ActedBatch = Pick<BatchRow, 'id' | 'batchNo' | 'version' | 'state' | 'allowedActions' | (typeof ABOUT)[number]>;

const can =
  (name: string) =>
  ({ allowedActions }: ActedBatch): boolean =>
    allowedActions.includes(name);

/** What may be done with a list beside handing it in, in the table and over its details. */
export function useBatchActions(onReversed: (batchId: string) => void): readonly RowAction<ActedBatch>[] {
  const audit = useCommand(auditInsuredBatch, { success: '操作成功!', refreshes: batchReads });
  const reverse = useCommand(addReverseBatch, { success: '操作成功!', refreshes: batchReads });
  const batchVersion = ({ id, version }: ActedBatch) => ({ batchId: id, version });
  const facts = (row: ActedBatch) => factsIn(queryInsuredBatchList.output, row, ABOUT);
  const decide = async (row: ActedBatch, action: 'approve' | 'reject' | 'discard', title: string) => {
    const opinion = await confirmWithOpinion({
      title,
      content: `确定要${title}“${row.batchNo}”吗?`,
      facts: facts(row),
      opinion: 'required',
      danger: action !== 'approve',
    });
    if (opinion !== null) await audit.run({ ...batchVersion(row), action, opinion });
  };
  return [
    {
      label: '开始校验',
      when: (row) => row.state === 'UPLOADED' && can('parse')(row),
      act: (row) => audit.run({ ...batchVersion(row), action: 'parse' }),
    },
    { label: '审核通过', when: can('approve'), act: (row) => decide(row, 'approve', '审核通过') },
    { label: '驳回', danger: true, when: can('reject'), act: (row) => decide(row, 'reject', '驳回') },
    {
      label: '继续生效',
      when: can('resume'),
      act: async (row) => {
        if (await ask({ title: '继续生效', content: `从中断处继续“${row.batchNo}”，已写入的行不会重复。`, facts: facts(row) }))
          await audit.run({ ...batchVersion(row), action: 'resume' });
      },
    },
    { label: '作废', danger: true, when: can('discard'), act: (row) => decide(row, 'discard', '作废批次') },
    {
      label: '生成冲正批次',
      permission: may['batch.undo'],
      when: ({ state }) => state === 'APPLIED',
      act: async (row) => {
        if (
          !(await ask({
            title: '生成冲正批次',
            content: `按“${row.batchNo}”每一行的相反方向生成新批次，核对后提交审核。`,
            facts: facts(row),
          }))
        )
          return;
        const answer = await reverse.run(batchVersion(row));
        if (answer) onReversed(answer.data.id);
      },
    },
  ];
}
