import { useMemo, useState } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { plusDays } from '#kernel/contract/time.ts';
import {
  exportPerfStatisticsList,
  queryPerfBoundTrend,
  queryPerfStatisticsList,
  type PerfStatisticsRow,
} from '../../contract/calls/perfRelations.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { ProductLinePicker } from '../incentive/CompanyPickers.tsx';
import { AgentPicker } from './AgentPicker.tsx';

const statistics = resource(queryPerfStatisticsList, {
  routeKey: 'performanceBindRelationTable.statistics',
  rowKey: 'key',
  empty: '该月没有绑定医生，也没有归属的收入',
  filters: [
    { kind: 'picker', name: 'agentId', picker: AgentPicker },
    { kind: 'picker', name: 'productLineId', picker: ProductLinePicker },
  ],
  columns: [
    { key: 'agentName', required: true },
    'agentNo',
    'boundCount',
    'newCount',
    'consultCount',
    'consultFen',
    'incentiveCount',
    'incentiveFen',
    'totalFen',
  ],
});

/** Doctors who had somebody at the end of each of twelve months. */
function Trend({ period }: { period: string }) {
  const { data } = useData(queryPerfBoundTrend, { period }, { quiet: true });
  if (!data) return null;
  const most = Math.max(1, ...data.map(({ boundCount }) => boundCount));
  return (
    <span
      role="img"
      aria-label="近12个月绑定医生数"
      style={{ display: 'inline-flex', alignItems: 'end', gap: 2, height: 24, marginInlineStart: 16, verticalAlign: 'middle' }}
    >
      {data.map((one) => (
        <span
          key={one.period}
          title={`${one.period}　绑定医生 ${one.boundCount} 人`}
          style={{ width: 10, height: Math.max(1, (one.boundCount / most) * 24), background: 'var(--kq-primary)' }}
        />
      ))}
      <span className="kq-muted">近12个月绑定医生，期末 {data.at(-1)?.boundCount ?? 0} 人</span>
    </span>
  );
}

/** Tab 业绩归属: what a month comes to for each representative. */
export function Statistics() {
  const now = todayHere().slice(0, 7);
  const [period, setPeriod] = useState(now);
  const fixed = useMemo(() => ({ period }), [period]);
  const actions: readonly RowAction<PerfStatisticsRow>[] = [
    {
      label: '收入明细',
      permission: may['income.view'],
      when: ({ agentId }) => agentId !== null,
      act: ({ agentId }) =>
        goTo('/incomeDetail', {
          agentId,
          occurredFrom: `${period}-01`,
          occurredTo: plusDays(`${plusDays(`${period}-01`, 32).slice(0, 7)}-01`, -1),
        }),
    },
  ];
  return (
    <ResourceList
      of={statistics}
      fixed={fixed}
      actions={actions}
      above={
        <span>
          绩效月 <MonthInput aria-label="绩效月" value={period} max={now} onChange={setPeriod} />
          <Trend period={period} />
        </span>
      }
      toolbar={(view) => <ExportButton call={exportPerfStatisticsList} view={view} permission={may['perf.export']} />}
    />
  );
}
