import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportPerfRelationList, queryPerfRelationList, type PerfRelationRow } from '../../contract/calls/perfRelations.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { ProductLinePicker } from '../incentive/CompanyPickers.tsx';
import { AgentPicker } from './AgentPicker.tsx';

const ChangeForm = lazy(async () => ({ default: (await import('./ChangeForm.tsx')).ChangeForm }));
const Timeline = lazy(async () => ({ default: (await import('./Timeline.tsx')).Timeline }));

const relations = resource(queryPerfRelationList, {
  routeKey: 'performanceBindRelationTable',
  empty: '还没有绑定关系，在绩效关系变更中发起绑定，或导入绑定',
  filters: [
    'asOfDate',
    { kind: 'picker', name: 'agentId', picker: AgentPicker },
    { kind: 'picker', name: 'doctorId', picker: DoctorPicker },
    'hospitalName',
    { kind: 'picker', name: 'productLineId', picker: ProductLinePicker },
    'state',
    'sourceNo',
  ],
  columns: [
    { key: 'doctorName', required: true },
    { key: 'doctorNo', hidden: true },
    'hospitalName',
    'lineName',
    { key: 'agentName', vital: true },
    'agentNo',
    'startDate',
    'endDate',
    {
      key: 'sourceNo',
      to: ({ sourceNo }) => ({ path: '/perfRelatedChange', search: { requestNo: sourceNo } }),
    },
    'state',
  ],
});

/** Tab 绑定关系: who has whom on a day. */
export function Relations() {
  const layers = useLayers();
  const show = (row: PerfRelationRow) => layers.open((close) => <Timeline doctorId={row.doctorId} onClose={close} />);
  const begin = (changeType: 'REBIND' | 'UNBIND') => (row: PerfRelationRow) =>
    layers.open((close) => (
      <ChangeForm
        beginning={{
          changeType,
          fromAgentId: row.agentId,
          items: [{ doctorId: row.doctorId, productLineId: row.productLineId, toAgentId: null }],
        }}
        onClose={close}
      />
    ));
  const isCurrent = ({ state, endDate }: PerfRelationRow) => state === 'ACTIVE' && endDate === null;
  const actions: readonly RowAction<PerfRelationRow>[] = [
    { label: '时间轴', act: show },
    { label: '发起换绑', permission: may['perf.edit'], when: isCurrent, act: begin('REBIND') },
    { label: '发起解绑', permission: may['perf.edit'], when: isCurrent, act: begin('UNBIND') },
  ];
  return (
    <>
      <ResourceList
        of={relations}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportPerfRelationList} view={view} permission={may['perf.export']} />}
      />
      {layers.shown}
    </>
  );
}
