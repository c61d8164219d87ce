import { Button } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportPerfChangeList, queryPerfChangeList, type PerfChangeRow } from '../../contract/calls/perfChanges.ts';
import { perfChangeMachine } from '../../contract/perfStates.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { ProductLinePicker } from '../incentive/CompanyPickers.tsx';
import { AgentPicker } from './AgentPicker.tsx';
import { changeActions, useChangeActions, type ChangeAction } from './useChangeActions.ts';

const ChangeForm = lazy(async () => ({ default: (await import('./ChangeForm.tsx')).ChangeForm }));
const ChangeDrawer = lazy(async () => ({ default: (await import('./ChangeDrawer.tsx')).ChangeDrawer }));

const changes = resource(queryPerfChangeList, {
  routeKey: 'perfRelatedChange',
  empty: '还没有变更单，点「新增变更」发起绑定、换绑、解绑或离职交接',
  filters: [
    'requestNo',
    'changeType',
    'status',
    { kind: 'picker', name: 'fromAgentId', picker: AgentPicker },
    { kind: 'picker', name: 'toAgentId', picker: AgentPicker },
    { kind: 'picker', name: 'doctorId', picker: DoctorPicker },
    { kind: 'picker', name: 'productLineId', picker: ProductLinePicker },
    { kind: 'days', names: ['effectiveFrom', 'effectiveTo'], label: '生效日期' },
    'sourceNo',
  ],
  columns: [
    { key: 'requestNo', required: true },
    { key: 'changeType', plain: true },
    'fromName',
    'toName',
    'doctorName',
    'lineName',
    'effectiveDate',
    'doctorCount',
    'incomeCount',
    { key: 'grossFen', hidden: true },
    { key: 'reasonCode', plain: true },
    { key: 'reason', hidden: true },
    { key: 'sourceType', plain: true, hidden: true },
    { key: 'sourceNo', hidden: true },
    'makerName',
    'checkerName',
    { key: 'opinion', hidden: true },
    { key: 'updatedAt', hidden: true },
    'status',
  ],
});

const isDraft = ({ status }: PerfChangeRow): boolean => status === 'DRAFT' || status === 'REJECTED';

/** Every request with what it would move, and its decisions. */
export function Changes() {
  const layers = useLayers();
  const act = useChangeActions();
  const show = (row: PerfChangeRow) => layers.open((close) => <ChangeDrawer id={row.id} onClose={close} />);
  const action = (name: ChangeAction): RowAction<PerfChangeRow> => ({
    label: perfChangeMachine.transitions[name].label,
    permission: perfChangeMachine.transitions[name].permission,
    danger: perfChangeMachine.transitions[name].danger ?? false,
    when: ({ allowedActions }) => allowedActions.includes(name),
    act: (row) => act(row, name),
  });
  const actions: readonly RowAction<PerfChangeRow>[] = [
    { label: '查看', act: show },
    {
      label: '编辑',
      permission: may['perf.edit'],
      when: isDraft,
      act: (row) => layers.open((close) => <ChangeForm id={row.id} onClose={close} />),
    },
    ...changeActions.map(action),
  ];
  return (
    <>
      <ResourceList
        of={changes}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <Can permission={may['perf.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <ChangeForm onClose={close} />)}>
                新增变更
              </Button>
            </Can>
            <ExportButton call={exportPerfChangeList} view={view} permission={may['perf.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
