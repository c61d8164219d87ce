import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import {
  auditSpecialUser,
  delSpecialUser,
  querySpecialUserDetail,
  querySpecialUserList,
  type MarkRow,
} from '../../contract/calls/marks.ts';
import { markMachine, markTypes } from '../../contract/markStates.ts';

export const markReads = [querySpecialUserList, querySpecialUserDetail];

const factsOf = (row: MarkRow) =>
  factsIn(querySpecialUserList.output, row, ['name', 'markType', 'productNames', 'startDate', 'endDate', 'reason', 'makerName']);
const nameOf = ({ name, markType }: MarkRow): string => `${name}的“${markTypes.label(markType)}”标记`;

export const markDecisions = ['approve', 'reject', 'revoke'] as const;
export type MarkDecision = (typeof markDecisions)[number];

/** What may be decided about a mark, from its row. */
export function useMarkActions() {
  const audit = useCommand(auditSpecialUser, { success: '操作成功!', refreshes: markReads });
  const remove = useCommand(delSpecialUser, { success: '删除成功!', refreshes: markReads });
  return {
    async decide(row: MarkRow, action: MarkDecision) {
      const opinion = await askTransition(markMachine, action, nameOf(row), factsOf(row));
      if (opinion === null) return false;
      return (await audit.run({ id: row.id, version: row.version, action, opinion })) !== null;
    },
    async remove(row: MarkRow) {
      if (!(await confirmDelete(`${row.name}的“${markTypes.label(row.markType)}”标记`))) return;
      await remove.run({ id: row.id, version: row.version });
    },
  };
}
