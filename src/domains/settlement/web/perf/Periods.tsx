import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import {
  lockPerfPeriod,
  perfPeriodRow,
  queryPerfPeriods,
  unlockPerfPeriod,
  type PerfPeriodRow,
} from '../../contract/calls/perfRelations.ts';
import { perfPeriodMachine } from '../../contract/perfStates.ts';
import { perfReads } from './reads.ts';

const columns = columnsOf<PerfPeriodRow>(perfPeriodRow, [
  { key: 'period', required: true },
  'incomeCount',
  'attributedCount',
  'pendingCount',
  'lockedByName',
  'lockedAt',
  'opinion',
  'status',
]);

/** Tab 绩效月: months that are settled between us and the representatives are locked. */
export function Periods() {
  const { data, error, refetch } = useData(queryPerfPeriods, {}, { quiet: true });
  const lock = useCommand(lockPerfPeriod, { success: '操作成功!', refreshes: perfReads });
  const unlock = useCommand(unlockPerfPeriod, { success: '操作成功!', refreshes: perfReads });
  const decide = async (row: PerfPeriodRow, action: 'lock' | 'unlock') => {
    const facts = factsIn(perfPeriodRow, row, ['period', 'incomeCount', 'attributedCount', 'pendingCount']);
    const opinion = await askTransition(perfPeriodMachine, action, ` ${row.period} `, facts);
    if (opinion === null) return;
    const on = { period: row.period, version: row.version };
    if (action === 'lock') await lock.run(on);
    else await unlock.run({ ...on, opinion });
  };
  const actions: readonly RowAction<PerfPeriodRow>[] = (['lock', 'unlock'] as const).map((name) => ({
    label: perfPeriodMachine.transitions[name].label,
    permission: perfPeriodMachine.transitions[name].permission,
    danger: name === 'unlock',
    when: ({ allowedActions }) => allowedActions.includes(name),
    act: (row) => decide(row, name),
  }));
  return (
    <DataTable
      rows={data}
      error={error}
      onRetry={() => void refetch()}
      columns={columns}
      rowKey="period"
      actions={actions}
      settingKey="performanceBindRelationTable.periods"
      empty="还没有绩效月"
    />
  );
}
