import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportPerfUnboundList, queryPerfUnboundList, type PerfUnboundRow } from '../../contract/calls/perfRelations.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';

const ChangeForm = lazy(async () => ({ default: (await import('./ChangeForm.tsx')).ChangeForm }));

const unbound = resource(queryPerfUnboundList, {
  routeKey: 'performanceBindRelationTable.unbound',
  empty: '所有医生都已绑定代表',
  filters: ['asOfDate', 'doctorName', 'hospitalName'],
  columns: [
    { key: 'doctorName', required: true },
    'doctorNo',
    'hospitalName',
    'lastAgentName',
    'lastLineName',
    'lastEndDate',
    'unsettledFen',
  ],
});

/** Tab 未绑定医生: whom nobody looks after. */
export function Unbound() {
  const layers = useLayers();
  const actions: readonly RowAction<PerfUnboundRow>[] = [
    {
      label: '发起绑定',
      permission: may['perf.edit'],
      act: ({ doctorId }) =>
        layers.open((close) => (
          <ChangeForm beginning={{ changeType: 'BIND', reasonCode: 'NEW_DOCTOR' }} doctorId={doctorId} onClose={close} />
        )),
    },
  ];
  return (
    <>
      <ResourceList
        of={unbound}
        actions={actions}
        toolbar={(view) => <ExportButton call={exportPerfUnboundList} view={view} permission={may['perf.export']} />}
      />
      {layers.shown}
    </>
  );
}
