import { Button } from 'antd';
import { CheckDialog } from '#kernel/web/audit/CheckDialog.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  auditCardChange,
  exportCardChangeList,
  queryCardChangeList,
  withdrawCardChange,
  type ChangeRow,
} from '../../contract/calls/cardChanges.ts';
import { changeActions, changeMachine } from '../../contract/cardDictionaries.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import '../use/use.css';
import { cardReads } from './acted.ts';

const changes = resource(queryCardChangeList, {
  routeKey: 'cardInformation.changes',
  empty: '没有符合条件的变更',
  filters: ['changeNo', 'cardNo', 'action', 'status', 'requestedBy', { kind: 'days', names: ['dateFrom', 'dateTo'], label: '申请时间' }],
  columns: [
    { key: 'changeNo', required: true },
    { key: 'action', plain: true },
    'cardNo',
    'cardTypeName',
    'holderName',
    'summary',
    'reason',
    'status',
    'requestedBy',
    'createdAt',
    'decidedBy',
    'decidedAt',
    { key: 'decidedOpinion', hidden: true },
    { key: 'cardState', hidden: true },
  ],
});

/** Before and after side by side. */
export function Compared({ differences }: { differences: ChangeRow['differences'] }) {
  return (
    <table className="card-table">
      <thead>
        <tr>
          <th>项目</th>
          <th>变更前</th>
          <th>变更后</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ label, before, after }) => (
          <tr key={label}>
            <td>{label}</td>
            <td>{before || '—'}</td>
            <td>
              <b>{after || '—'}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** 审批 of a change by somebody else, with what it is based on. */
export function CheckChange({ row, onClose }: { row: ChangeRow; onClose(): void }) {
  const command = useCommand(auditCardChange, { success: '操作成功!', refreshes: cardReads });
  const layers = useLayers();
  const decide = async (decision: 'approve' | 'reject', opinion: string) => {
    if (await command.run({ changeId: row.id, version: row.version, decision, opinion })) onClose();
  };
  const can = row.allowedActions.includes('approve');
  const files = row.evidenceFileIds.map((fileId, at) => ({ fileId, fileName: `依据附件${at + 1}`, detectedType: null, pageCount: null }));
  const preview = () => layers.open((close) => <FilePreview files={files} ownerType="card.change" ownerId={row.id} onClose={close} />);
  return (
    <CheckDialog
      title={`${can ? '审批' : '查看'}${changeActions.label(row.action)} ${row.changeNo}`}
      maker={{ id: row.requestedById, name: row.requestedBy }}
      passLabel="批准"
      ownText={can ? '不能审批本人提交的单据' : `${changeMachine.dictionary.label(row.status)}，或当前角色不能审批`}
      busy={command.flying || !can}
      onPass={(opinion) => decide('approve', opinion)}
      onReject={(opinion) => decide('reject', opinion)}
      onClose={onClose}
    >
      <Facts
        facts={factsIn(queryCardChangeList.output, row, [
          'cardNo',
          'cardTypeName',
          'cardState',
          'holderName',
          {
            label: '依据附件',
            value:
              files.length === 0 ? null : (
                <Button type="link" size="small" onClick={preview}>
                  查看（{files.length}）
                </Button>
              ),
          },
          { key: 'reason', wide: true },
        ])}
      />
      <Compared differences={row.differences} />
      {layers.shown}
    </CheckDialog>
  );
}

/** Tab 变更审批. */
export function Changes() {
  const layers = useLayers();
  const withdraw = useCommand(withdrawCardChange, { success: '操作成功!', refreshes: cardReads });
  const actions: readonly RowAction<ChangeRow>[] = [
    {
      label: '审批',
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      act: (row) => layers.open((close) => <CheckChange row={row} onClose={close} />),
    },
    {
      label: '撤销',
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('withdraw'),
      act: async (row) => {
        const sure = await ask({
          title: '撤销变更',
          content: `确定要撤销“${row.changeNo}”吗?`,
          facts: factsIn(queryCardChangeList.output, row, ['action', 'cardNo', 'holderName', 'summary']),
          danger: true,
        });
        if (sure) await withdraw.run({ changeId: row.id, version: row.version });
      },
    },
  ];
  const batch: readonly BatchAction<ChangeRow>[] = [
    {
      label: '批量批准',
      permission: may['change.approve'],
      opinion: 'required',
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      nameOf: ({ changeNo }) => changeNo,
      each: (row, opinion) =>
        send(auditCardChange, { changeId: row.id, version: row.version, decision: 'approve', opinion }, { quiet: true }),
    },
  ];
  return (
    <>
      <ResourceList
        of={changes}
        actions={actions}
        batch={batch}
        toolbar={(view) => <ExportButton call={exportCardChangeList} view={view} permission={may['card.export']} />}
      />
      {layers.shown}
    </>
  );
}
