import { CheckDialog } from '#kernel/web/audit/CheckDialog.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  auditReversal,
  exportReversalList,
  queryReversalList,
  queryWriteOffList,
  type ReversalRow,
} from '../../contract/calls/writeOffs.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';

const reversals = resource(queryReversalList, {
  routeKey: 'cardCancel.reversals',
  empty: '没有符合条件的冲正',
  filters: ['reversalNo', 'writeOffNo', 'orderNo', 'cardNo', 'status'],
  columns: [
    { key: 'reversalNo', required: true },
    'writeOffNo',
    'cardNo',
    'orderNo',
    'merchantName',
    'amount',
    'fee',
    { key: 'reasonCode', plain: true },
    'opinion',
    'status',
    'requestedBy',
    'createdAt',
    'approvedBy',
    'doneAt',
  ],
});

function Check({ row, onClose }: { row: ReversalRow; onClose(): void }) {
  const command = useCommand(auditReversal, { success: '复核完成!', refreshes: [queryReversalList, queryWriteOffList] });
  const decide = async (decision: 'approve' | 'reject', opinion: string) => {
    if (await command.run({ reversalId: row.id, version: row.version, decision, opinion })) onClose();
  };
  return (
    <CheckDialog
      title={`复核冲正 ${row.reversalNo}`}
      maker={{ id: null, name: row.requestedBy }}
      amountFen={row.amount}
      ownText="不能复核本人申请的冲正"
      busy={command.flying}
      onPass={(opinion) => decide('approve', opinion)}
      onReject={(opinion) => decide('reject', opinion)}
      onClose={onClose}
    >
      <Facts
        facts={factsIn(queryReversalList.output, row, [
          'writeOffNo',
          'cardNo',
          'orderNo',
          'merchantName',
          'amount',
          'reasonCode',
          'opinion',
        ])}
      />
    </CheckDialog>
  );
}

/** Tab 冲正复核. */
export function Reversals() {
  const layers = useLayers();
  const actions: readonly RowAction<ReversalRow>[] = [
    {
      label: '复核',
      permission: may['writeoff.approve'],
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      act: (row) => layers.open((close) => <Check row={row} onClose={close} />),
    },
  ];
  return (
    <>
      <ResourceList
        of={reversals}
        actions={actions}
        toolbar={(view) => <ExportButton call={exportReversalList} view={view} permission={may['card.export']} />}
      />
      {layers.shown}
    </>
  );
}
