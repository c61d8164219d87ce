import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  auditAttributionChange,
  exportAttributionChangeList,
  queryAttributionChangeList,
  type AttributionChangeRow,
} from '../../contract/calls/attribution.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { channelFilter } from '../services/onDemand.tsx';
import { refreshes } from './attributionList.tsx';
import { ChangeDrawer } from './lazyDialogs.ts';

const changes = resource(queryAttributionChangeList, {
  routeKey: 'doctorPatientChannelManagement:change',
  empty: '没有归属变更申请',
  filters: ['changeNo', 'name', 'subjectType', 'state', channelFilter, { kind: 'instants', names: ['from', 'to'], label: '申请时间' }],
  columns: [
    { key: 'changeNo', width: 176, required: true },
    { key: 'subjectType', width: 70 },
    { key: 'subjectName', width: 110 },
    {
      key: 'state',
      width: 130,
      render: (row) =>
        row.state === 'APPROVED' && row.performedAt === null ? (
          <span className="kq-dict kq-dict-processing">已通过，待生效</span>
        ) : (
          <Dict of={attributionChangeMachine.dictionary} code={row.state} />
        ),
    },
    {
      key: 'from',
      title: '原渠道/代表',
      width: 190,
      value: (row) => [row.fromChannelName ?? '自然流量', row.fromAgentName].filter(Boolean).join(' / '),
    },
    {
      key: 'to',
      title: '新渠道/代表',
      width: 190,
      value: (row) => [row.toChannelName ?? '自然流量', row.toAgentName].filter(Boolean).join(' / '),
    },
    'effectiveOn',
    { key: 'reason', width: 200 },
    { key: 'makerName', width: 90 },
    'createdAt',
    { key: 'checkerName', width: 90 },
  ],
});
const nameOf = (row: AttributionChangeRow) => row.changeNo;
type Action = 'approve' | 'reject' | 'cancel';
const can = (action: Action) => (row: AttributionChangeRow) => row.allowedActions.includes(action);

/** 归属变更审批. No `useAuditDesk`: a row is the whole change. */
export function Changes() {
  const layers = useLayers();
  const show = (row: AttributionChangeRow) => layers.open((close) => <ChangeDrawer id={row.id} onClose={close} />);
  const audit = useCommand(auditAttributionChange, { success: '操作成功!', refreshes });
  const move = (action: Action) => async (row: AttributionChangeRow) => {
    const opinion = await askTransition(attributionChangeMachine, action, `“${row.changeNo}”`, [
      ...factsIn(queryAttributionChangeList.output, row, [
        'subjectType',
        'fromAgentName',
        'toAgentName',
        'effectiveOn',
        'reason',
        'makerName',
      ]),
      { label: '患者/医生', value: row.subjectName },
    ]);
    if (opinion !== null) await audit.run({ id: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };
  return (
    <>
      <ResourceList
        of={changes}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportAttributionChangeList} view={view} permission={may['attribution.export']} />}
        actions={[
          { label: '详情', act: show },
          { label: '通过', permission: may['attribution.audit'], when: can('approve'), act: move('approve') },
          { label: '驳回', permission: may['attribution.audit'], when: can('reject'), danger: true, act: move('reject') },
          { label: '撤销', permission: may['attribution.edit'], when: can('cancel'), act: move('cancel') },
        ]}
        batch={[
          {
            label: '批量通过',
            permission: may['attribution.audit'],
            nameOf,
            when: can('approve'),
            each: (row) => send(auditAttributionChange, { id: row.id, version: row.version, action: 'approve' }, { quiet: true }),
          },
        ]}
      />
      {layers.shown}
    </>
  );
}
