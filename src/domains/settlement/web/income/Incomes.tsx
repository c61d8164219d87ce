import { lazy } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { send } from '#kernel/web/http/client.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList, type ListView } from '#kernel/web/list/ResourceList.tsx';
import { DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import {
  exportIncomeDetailList,
  holdIncome,
  queryIncomeDetailList,
  queryIncomeTotal,
  reverseIncome,
  unholdIncome,
  type IncomeRow,
} from '../../contract/calls/income.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { incomeMachine } from '../../contract/states.ts';
import { AgentPicker } from '../perf/AgentPicker.tsx';
import { PayerSelect } from '../PayerSelect.tsx';

const IncomeDrawer = lazy(async () => ({ default: (await import('./IncomeDrawer.tsx')).IncomeDrawer }));
const refreshes = [queryIncomeDetailList, queryIncomeTotal];

const incomes = resource(queryIncomeDetailList, {
  routeKey: 'incomeDetail',
  empty: '还没有收入，咨询完成后按结算规则自动计算',
  filters: [
    'incomeNo',
    { kind: 'picker', name: 'doctorId', picker: DoctorPicker },
    { kind: 'picker', name: 'payerEntityId', picker: PayerSelect },
    'incomeType',
    'taskType',
    'status',
    'sourceNo',
    { kind: 'picker', name: 'agentId', picker: AgentPicker },
    { kind: 'instants', names: ['occurredFrom', 'occurredTo'], label: '完成时间' },
  ],
  columns: [
    { key: 'incomeNo', required: true },
    'doctorName',
    'hospitalName',
    { key: 'incomeType', plain: true },
    { key: 'serviceType', plain: true },
    { key: 'taskType', plain: true, hidden: true },
    'sourceNo',
    'baseFen',
    'grossFen',
    'occurredAt',
    'availableAt',
    'agentName',
    'ruleCode',
    'payerName',
    { key: 'holdReason', hidden: true },
    'status',
  ],
});

/** Sums of what the filters find, by state. */
function Totals({ view }: { view: ListView<typeof queryIncomeDetailList> }) {
  const { data } = useData(queryIncomeTotal, view.filters, { quiet: true });
  if (!data || data.length === 0) return null;
  return (
    <span className="kq-muted">
      {data.map((one) => `${incomeMachine.dictionary.label(one.status)} ${one.count} 笔 ${yuan(one.grossFen, true)} 元`).join('；')}
    </span>
  );
}

/** Tab 收入明细: every income with its calculation. */
export function Incomes() {
  const layers = useLayers();
  const hold = useCommand(holdIncome, { success: '操作成功!', refreshes });
  const unhold = useCommand(unholdIncome, { success: '操作成功!', refreshes });
  const reverse = useCommand(reverseIncome, { success: '操作成功!', refreshes });
  const show = (row: IncomeRow) => layers.open((close) => <IncomeDrawer id={row.id} onClose={close} />);
  const decide = async (row: IncomeRow, action: 'hold' | 'unhold' | 'reverse') => {
    const facts = factsIn(queryIncomeDetailList.output, row, ['incomeNo', 'doctorName', 'sourceNo', 'grossFen', 'holdReason']);
    const opinion = await askTransition(incomeMachine, action, '', facts);
    if (opinion === null) return;
    const input = { id: row.id, version: row.version, opinion };
    if (action === 'hold') await hold.run(input);
    else if (action === 'unhold') await unhold.run(input);
    else await reverse.run(input);
  };
  const canDo = (action: string) => (row: IncomeRow) => row.allowedActions.includes(action);
  const actions: readonly RowAction<IncomeRow>[] = [
    { label: '计算过程', act: show },
    { label: '挂起', permission: may['income.hold'], when: canDo('hold'), act: (row) => decide(row, 'hold') },
    { label: '解除挂起', permission: may['income.hold'], when: canDo('unhold'), act: (row) => decide(row, 'unhold') },
    { label: '冲回', permission: may['income.reverse'], danger: true, when: canDo('reverse'), act: (row) => decide(row, 'reverse') },
  ];
  const batch: readonly BatchAction<IncomeRow>[] = [
    {
      label: '挂起',
      permission: may['income.hold'],
      when: canDo('hold'),
      opinion: 'required',
      nameOf: ({ incomeNo }) => incomeNo,
      each: (row, opinion) => send(holdIncome, { id: row.id, version: row.version, opinion }, { quiet: true }),
    },
    {
      label: '解除挂起',
      permission: may['income.hold'],
      when: canDo('unhold'),
      opinion: 'required',
      nameOf: ({ incomeNo }) => incomeNo,
      each: (row, opinion) => send(unholdIncome, { id: row.id, version: row.version, opinion }, { quiet: true }),
    },
  ];
  return (
    <>
      <ResourceList
        of={incomes}
        actions={actions}
        batch={batch}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <ExportButton call={exportIncomeDetailList} view={view} permission={may['income.export']} />
            <Totals view={view} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
