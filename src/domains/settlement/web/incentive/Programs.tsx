import { Button, Progress } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  exportIncentiveProgramList,
  queryIncentiveProgramDetail,
  queryIncentiveProgramList,
  type ProgramRow,
} from '../../contract/calls/incentive.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { programMachine } from '../../contract/programStates.ts';
import { useProgramActions, type ProgramAction } from './useProgramActions.ts';

const ProgramForm = lazy(async () => ({ default: (await import('./ProgramForm.tsx')).ProgramForm }));
const ProgramDrawer = lazy(async () => ({ default: (await import('./ProgramDrawer.tsx')).ProgramDrawer }));
const BudgetForm = lazy(async () => ({ default: (await import('./ChangeForms.tsx')).BudgetForm }));
const IntroductionForm = lazy(async () => ({ default: (await import('./ChangeForms.tsx')).IntroductionForm }));

/** Part of a budget from which on it is nearly used up. */
const NEARLY = 90;
const usedPart = ({ budgetFen, leftFen }: ProgramRow): number => Math.floor(((budgetFen - leftFen) / budgetFen) * 100);

const programs = resource(queryIncentiveProgramList, {
  routeKey: 'IncentiveItroduction',
  empty: '还没有激励项目，点「新增项目」添加',
  filters: ['programNo', 'programName', 'companyName', 'lineName', 'status', 'validOn'],
  columns: [
    { key: 'programNo', required: true },
    'programName',
    'companyName',
    { key: 'lineName', hidden: true },
    'startDate',
    'endDate',
    'budgetFen',
    'paidFen',
    'takenFen',
    'leftFen',
    {
      key: 'usedPart',
      title: '使用进度',
      width: 120,
      kind: 'custom',
      render: (row) => (
        <Progress
          percent={usedPart(row)}
          size="small"
          status={usedPart(row) >= NEARLY ? 'exception' : 'normal'}
          format={(percent) => `${percent ?? 0}%`}
        />
      ),
    },
    { key: 'waitingFen', hidden: true },
    'doctorCount',
    'introVersion',
    { key: 'payerName', hidden: true },
    { key: 'makerName', hidden: true },
    { key: 'opinion', hidden: true },
    { key: 'updatedAt', hidden: true },
    'status',
  ],
});

/** Every programme with what is left of its budget. */
export function Programs() {
  const layers = useLayers();
  const { act } = useProgramActions();
  const show = (row: ProgramRow) => layers.open((close) => <ProgramDrawer id={row.id} onClose={close} />);
  const edit = (row: ProgramRow | null) => layers.open((close) => <ProgramForm row={row} onClose={close} />);
  const changeIntroduction = async (row: ProgramRow) => {
    const { introduction } = await send(queryIncentiveProgramDetail, { id: row.id });
    layers.open((close) => <IntroductionForm row={row} introduction={introduction} onClose={close} />);
  };
  const runs = ({ status }: ProgramRow) => status === 'ACTIVE' || status === 'PAUSED';
  const action = (name: ProgramAction): RowAction<ProgramRow> => ({
    label: programMachine.transitions[name].label,
    permission: programMachine.transitions[name].permission,
    danger: programMachine.transitions[name].danger ?? false,
    when: ({ allowedActions }) => allowedActions.includes(name),
    act: (row) => act(row, name),
  });
  const actions: readonly RowAction<ProgramRow>[] = [
    { label: '查看', act: show },
    {
      label: '编辑',
      permission: may['program.edit'],
      when: ({ status }) => status === 'DRAFT' || status === 'REJECTED',
      act: edit,
    },
    action('submit'),
    action('approve'),
    action('reject'),
    {
      label: '追加预算',
      permission: may['program.edit'],
      when: runs,
      act: (row) => layers.open((close) => <BudgetForm row={row} onClose={close} />),
    },
    { label: '修改说明', permission: may['program.edit'], when: runs, act: changeIntroduction },
    action('pause'),
    action('resume'),
    action('close'),
  ];
  return (
    <>
      <ResourceList
        of={programs}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <Can permission={may['program.edit']}>
              <Button type="primary" onClick={() => edit(null)}>
                新增项目
              </Button>
            </Can>
            <ExportButton call={exportIncentiveProgramList} view={view} permission={may['program.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
