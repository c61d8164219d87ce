import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import {
  auditGrant,
  queryGrantDetail,
  queryGrantLineList,
  queryGrantList,
  retryGrant,
  revokeGrant,
  submitGrant,
  type GrantRow,
} from '../../contract/calls/grants.ts';

export const grantReads = [queryGrantList, queryGrantDetail, queryGrantLineList];
type Acted = Pick<
  GrantRow,
  | 'id'
  | 'grantNo'
  | 'version'
  | 'status'
  | 'allowedActions'
  | 'kind'
  | 'totalCount'
  | 'totalAmount'
  | 'totalBonus'
  | 'failCount'
  | 'typeName'
  | 'createdBy'
>;

/** What may be done with a grant, in the list and over its details. */
export function useGrantActions(): readonly RowAction<Acted>[] {
  const submit = useCommand(submitGrant, { success: '提交成功!', refreshes: grantReads });
  const audit = useCommand(auditGrant, { success: '操作成功!', refreshes: grantReads });
  const retry = useCommand(retryGrant, { success: '操作成功!', refreshes: grantReads });
  const revoke = useCommand(revokeGrant, { success: '已撤回', refreshes: grantReads });
  const target = ({ id, version }: Acted) => ({ grantId: id, version });
  const can =
    (...names: readonly string[]) =>
    ({ allowedActions }: Acted) =>
      names.some((name) => allowedActions.includes(name));
  const facts = (row: Acted) =>
    factsIn(queryGrantList.output, row, ['grantNo', 'typeName', 'totalCount', 'totalAmount', 'totalBonus', 'createdBy']);
  const decide = async (row: Acted, decision: 'approve' | 'reject') => {
    const stage = row.status === 'PENDING_SECOND' ? ('SECOND' as const) : ('FIRST' as const);
    const title = decision === 'reject' ? '驳回' : stage === 'SECOND' ? '复审批准' : '批准';
    const opinion = await confirmWithOpinion({
      title,
      content: `确定要${title}“${row.grantNo}”吗?`,
      facts: facts(row),
      opinion: decision === 'reject' ? 'required' : 'optional',
      danger: decision === 'reject',
    });
    if (opinion !== null) await audit.run({ ...target(row), stage, decision, opinion });
  };
  return [
    {
      label: '提交',
      when: can('submit'),
      async act(row) {
        if (await ask({ title: '提交', content: `确定要提交“${row.grantNo}”吗？`, facts: facts(row) })) await submit.run(target(row));
      },
    },
    { label: '批准', when: can('approve', 'approveSecond'), act: (row) => decide(row, 'approve') },
    { label: '驳回', danger: true, when: can('reject'), act: (row) => decide(row, 'reject') },
    {
      label: '重试失败行',
      when: can('retry'),
      async act(row) {
        if (await ask({ title: '重试失败行', content: `确定要重试“${row.grantNo}”的${row.failCount}条失败明细吗?`, facts: facts(row) }))
          await retry.run(target(row));
      },
    },
    {
      label: '撤回',
      danger: true,
      when: (row) => row.kind === 'STORED_VALUE' && can('revoke')(row),
      async act(row) {
        const opinion = await confirmWithOpinion({
          title: '撤回发放',
          content: `撤回“${row.grantNo}”全部未使用的金额，已核销和预占的部分不受影响。`,
          facts: facts(row),
          danger: true,
        });
        if (opinion !== null) await revoke.run({ ...target(row), opinion });
      },
    },
  ];
}
