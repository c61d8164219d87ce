import { useMemo } from 'react';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { TrailDrawer } from '#kernel/web/detail/TrailDrawer.tsx';
import { queryAgentDetail } from '../../contract/calls/agents.ts';
import {
  auditAgentHandover,
  cancelAgentHandover,
  exportAgentHandoverList,
  queryAgentHandoverList,
  queryAgentHandoverTrail,
  type HandoverRow,
} from '../../contract/calls/handovers.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { handoverMachine } from '../../contract/states.ts';
import { HandoverWizard } from './lazyDialogs.ts';
import { agentRefreshes } from './refreshes.ts';
import { newKey } from '#kernel/web/http/request.ts';

const progress = ({ progress: { team, doctors, channels } }: HandoverRow) =>
  `下属 ${team.done}/${team.total} · 医生 ${doctors.done}/${doctors.total} · 渠道 ${channels.done}/${channels.total}`;

const handovers = resource(queryAgentHandoverList, {
  routeKey: 'agentList:handovers',
  empty: '没有符合条件的交接单',
  filters: [{ name: 'agentName', placeholder: '姓名或编号' }, 'reason', 'state'],
  columns: [
    { key: 'handoverNo', width: 170, required: true },
    { key: 'fromAgentName', width: 100, to: (row) => ({ path: '/agentDetail', search: { agentId: row.fromAgentId } }) },
    { key: 'companyName', width: 120 },
    { key: 'reason', plain: true },
    'effectiveOn',
    { key: 'progress', width: 250, value: progress },
    { key: 'remark', width: 180 },
    { key: 'makerName', width: 100 },
    { key: 'checkerName', width: 100 },
    { key: 'opinion', width: 160 },
    'createdAt',
    'state',
  ],
});

/** 离岗交接: of everybody, or of one person. */
export function Handovers({ agentId }: { agentId?: string }) {
  const layers = useLayers();
  const openDraft = (draft: HandoverRow) => layers.open((close) => <DraftWizard draft={draft} onClose={close} />);
  const openTrail = (trail: HandoverRow) => layers.open((close) => <Trail row={trail} onClose={close} />);
  const fixed = useMemo(() => (agentId ? { fromAgentId: agentId } : undefined), [agentId]);
  const refreshes = [queryAgentHandoverList, ...agentRefreshes];
  const audit = useCommand(auditAgentHandover, { success: SERVER_MESSAGE, refreshes });
  const cancel = useCommand(cancelAgentHandover, { success: SERVER_MESSAGE, refreshes });
  const options = () => ({ idempotencyKey: newKey() });
  const facts = (row: HandoverRow) => [
    ...factsIn(queryAgentHandoverList.output, row, ['fromAgentName', 'companyName', 'reason', 'effectiveOn', 'makerName']),
    { label: '交接', value: `下属${row.progress.team.total}人，医生${row.progress.doctors.total}位，渠道${row.progress.channels.total}个` },
  ];
  const decide = (action: 'approve' | 'reject') => async (row: HandoverRow) => {
    const { label, opinion } = handoverMachine.transitions[action];
    const given = await confirmWithOpinion({
      title: label,
      content: `确定要${label}交接单${row.handoverNo}吗?`,
      facts: facts(row),
      opinion: opinion === 'required' ? 'required' : 'optional',
      danger: action === 'reject',
    });
    if (given !== null) await audit.run({ id: row.id, version: row.version, action, ...(given && { opinion: given }) }, options());
  };
  const actions: readonly RowAction<HandoverRow>[] = [
    { label: '编辑', permission: may['agent.handover'], when: (row) => row.state === 'DRAFT', act: (row) => openDraft(row) },
    { label: '同意', permission: may['agent.handoverAudit'], when: (row) => row.state === 'PENDING' && !row.own, act: decide('approve') },
    {
      label: '驳回',
      permission: may['agent.handoverAudit'],
      danger: true,
      when: (row) => row.state === 'PENDING' && !row.own,
      act: decide('reject'),
    },
    {
      label: '取消',
      permission: may['agent.handover'],
      danger: true,
      when: (row) => handoverMachine.canStart('cancel', row.state),
      act: async (row) => {
        const opinion = await confirmWithOpinion({
          title: '取消交接',
          content: `确定要取消交接单${row.handoverNo}吗?`,
          facts: facts(row),
          opinion: 'required',
          danger: true,
        });
        if (opinion !== null) await cancel.run({ id: row.id, version: row.version, opinion }, options());
      },
    },
    { label: '操作轨迹', act: (row) => openTrail(row) },
  ];
  return (
    <>
      <ResourceList
        of={handovers}
        {...(fixed && { fixed })}
        actions={actions}
        toolbar={(view) => <ExportButton call={exportAgentHandoverList} view={view} permission={may['agent.export']} />}
      />
      {layers.shown}
    </>
  );
}

function DraftWizard({ draft, onClose }: { draft: HandoverRow; onClose(): void }) {
  return (
    <FormRecord
      call={queryAgentDetail}
      input={{ agentId: draft.fromAgentId }}
      title={`离岗交接：${draft.fromAgentName}`}
      width={960}
      onClose={onClose}
    >
      {({ agent }) => <HandoverWizard agent={agent} draft={draft} onClose={onClose} />}
    </FormRecord>
  );
}

function Trail({ row, onClose }: { row: HandoverRow; onClose(): void }) {
  return (
    <TrailDrawer
      title={`交接轨迹 ${row.handoverNo}`}
      of={useData(queryAgentHandoverTrail, { handoverId: row.id }, { quiet: true })}
      machine={handoverMachine}
      onClose={onClose}
    />
  );
}
