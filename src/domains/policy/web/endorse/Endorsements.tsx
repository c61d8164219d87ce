import { lazy, useMemo } from 'react';
import { CheckDialog } from '#kernel/web/audit/CheckDialog.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  auditEndorsement,
  exportEndorsement,
  queryEndorsementDetail,
  queryEndorsementList,
  type EndorsementRow,
} from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { queryPolicyDetail, queryPolicyList, queryPolicyTotal, type PolicyDetail } from '../../contract/calls/policies.ts';
import { queryPremiumOrderList } from '../../contract/calls/premium.ts';
import { endorsementKinds } from '../../contract/dictionaries.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { policyPermissions as may } from '../../contract/permissions.ts';
import { endorsementMachine } from '../../contract/states.ts';
import { Differences } from './Impact.tsx';
import '../shared/policy.css';

const EditEndorsement = lazy(async () => ({ default: (await import('./EndorseForm.tsx')).EditEndorsement }));
const EndorsementDrawer = lazy(async () => ({ default: (await import('./EndorsementDrawer.tsx')).EndorsementDrawer }));

const refreshes = [
  queryEndorsementList,
  queryEndorsementDetail,
  queryPolicyDetail,
  queryPolicyList,
  queryPolicyTotal,
  queryInsuredPersonList,
  queryPremiumOrderList,
];

const shared = {
  routeKey: 'policyManage.endorsements',
  empty: '还没有批单',
  filters: ['endorsementNo', 'kind', 'state', { kind: 'days', names: ['effectiveFrom', 'effectiveTo'], label: '生效日期' }],
} as const;
const columns: readonly ColumnChoice<EndorsementRow>[] = [
  'seq',
  { key: 'endorsementNo', required: true },
  { key: 'kind', plain: true },
  'effectiveOn',
  {
    key: 'summary',
    render: (row) => (
      <span className={row.state === 'UNDONE' ? 'pol-undone' : ''} title={row.summary}>
        {row.summary}
      </span>
    ),
  },
  'reason',
  'premiumDeltaFen',
  'insurerEndorsementNo',
  'maker',
  'checker',
  'visibleAt',
  { key: 'undoneAt', hidden: true },
  { key: 'createdAt', hidden: true },
  'state',
];
const endorsements = resource(queryEndorsementList, { ...shared, columns });
/** Where no insurer has numbers of its own. */
const withoutNumbers = resource(queryEndorsementList, { ...shared, columns: columns.filter((one) => one !== 'insurerEndorsementNo') });

function Check({ row, onClose }: { row: EndorsementRow; onClose(): void }) {
  const command = useCommand(auditEndorsement, { success: '审核完成!', refreshes });
  const decide = async (action: 'approve' | 'reject', opinion: string) => {
    if (await command.run({ id: row.id, version: row.version, action, opinion })) onClose();
  };
  return (
    <CheckDialog
      title={`审核批单 ${row.endorsementNo}`}
      maker={{ id: row.makerId, name: row.maker }}
      ownText="经办人不能审核自己提交的批单"
      passLabel="审核通过"
      width={860}
      busy={command.flying}
      onPass={(opinion) => decide('approve', opinion)}
      onReject={(opinion) => decide('reject', opinion)}
      onClose={onClose}
    >
      <Facts
        facts={[
          { label: '批单类型', value: endorsementKinds.label(row.kind) },
          { label: '生效日期', value: row.effectiveOn },
          { label: '保费变化', value: <Money fen={row.premiumDeltaFen} unit /> },
          { label: '批改原因', value: row.reason, wide: true },
        ]}
      />
      <Differences rows={row.differences} />
    </CheckDialog>
  );
}

/** Tab 批单: the chain of a policy's changes; what was taken back is struck through. */
export function Endorsements({ policy: { id: policyId, productLine } }: { policy: Pick<PolicyDetail, 'id' | 'productLine'> }) {
  const layers = useLayers();
  const fixed = useMemo(() => ({ policyId }), [policyId]);
  const command = useCommand(auditEndorsement, { success: '操作成功!', refreshes });
  const move = (action: 'submit' | 'discard' | 'undo'): RowAction<EndorsementRow> => {
    const { label, danger = false } = endorsementMachine.transitions[action];
    return {
      label,
      danger: danger || action === 'discard',
      when: ({ allowedActions }) => allowedActions.includes(action),
      act: async (row) => {
        const opinion = await confirmWithOpinion({
          title: `${label}批单 ${row.endorsementNo}`,
          content: action === 'undo' ? '撤销后，保障、投保人信息与保费恢复为批改前。' : `确定要${label}吗?`,
          facts: factsIn(queryEndorsementList.output, row, ['policyNo', 'kind', 'effectiveOn', 'summary', 'premiumDeltaFen', 'maker']),
          danger: action !== 'submit',
          opinion: action === 'undo' ? 'required' : 'optional',
        });
        if (opinion !== null) await command.run({ id: row.id, version: row.version, action, opinion });
      },
    };
  };
  const open = (row: EndorsementRow) => layers.open((close) => <EndorsementDrawer row={row} onClose={close} />);
  return (
    <>
      <ResourceList
        of={POLICY_LINE_VIEW[productLine].insurerNumbers ? endorsements : withoutNumbers}
        fixed={fixed}
        onRowClick={open}
        actions={[
          { label: '详情', act: open },
          {
            label: '审核',
            when: ({ allowedActions }) => allowedActions.includes('approve'),
            act: (row) => layers.open((close) => <Check row={row} onClose={close} />),
          },
          {
            label: endorsementMachine.transitions.modify.label,
            when: ({ allowedActions }) => allowedActions.includes('modify'),
            act: ({ id }) => layers.open((close) => <EditEndorsement endorsementId={id} onClose={close} />),
          },
          move('submit'),
          move('discard'),
          move('undo'),
        ]}
        toolbar={(view) => <ExportButton call={exportEndorsement} view={view} permission={may['policy.export']} />}
      />
      {layers.shown}
    </>
  );
}
