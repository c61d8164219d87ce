import { useMemo, useState } from 'react';
import { plusDays } from '#kernel/contract/time.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { exportDoctorIncomeList, queryDoctorIncomeList, type DoctorMonthRow } from '../../contract/calls/income.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';

const months = resource(queryDoctorIncomeList, {
  routeKey: 'doctorIncome',
  rowKey: 'key',
  empty: '所选月份没有医生收入',
  filters: ['doctorName', 'hospitalName', 'titleCode', 'minFen'],
  columns: [
    { key: 'doctorName', required: true },
    'month',
    'hospitalName',
    { key: 'titleCode', plain: true },
    'itemCount',
    'grossFen',
    'consultFen',
    'followUpFen',
    'incentiveFen',
    'adjustFen',
    'clawbackFen',
  ],
});
const MONTHS = 3;

/** /doctorIncome 医生收入: what doctors earned, a row for each month. */
export default function DoctorIncome() {
  const now = todayHere().slice(0, 7);
  const [monthFrom, setFrom] = useState(plusDays(`${now}-01`, -31 * (MONTHS - 1)).slice(0, 7));
  const [monthTo, setTo] = useState(now);
  const fixed = useMemo(() => ({ monthFrom, monthTo }), [monthFrom, monthTo]);
  const actions: readonly RowAction<DoctorMonthRow>[] = [
    {
      label: '明细',
      act: ({ doctorId, month }) =>
        goTo('/incomeDetail', {
          doctorId,
          occurredFrom: `${month}-01`,
          occurredTo: plusDays(`${plusDays(`${month}-01`, 32).slice(0, 7)}-01`, -1),
        }),
    },
  ];
  return (
    <ResourceList
      of={months}
      fixed={fixed}
      actions={actions}
      above={
        <span>
          月份 <MonthInput aria-label="起始月份" value={monthFrom} max={monthTo} onChange={setFrom} /> 至{' '}
          <MonthInput aria-label="截止月份" value={monthTo} min={monthFrom} max={now} onChange={setTo} />
        </span>
      }
      toolbar={(view) => <ExportButton call={exportDoctorIncomeList} view={view} permission={may['income.export']} />}
    />
  );
}
