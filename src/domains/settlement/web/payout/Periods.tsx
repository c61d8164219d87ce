import { Button } from 'antd';
import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  abortDoctorPeriodClose,
  closeDoctorPeriod,
  exportDoctorPeriodList,
  queryDoctorPeriodList,
  startDoctorPeriodClose,
  type PeriodRow,
} from '../../contract/calls/taxes.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { periodMachine } from '../../contract/taxStates.ts';

const StartClose = lazy(async () => ({ default: (await import('./StartClose.tsx')).StartClose }));

const periods = resource(queryDoctorPeriodList, {
  routeKey: 'incomeSettle.periods',
  empty: '还没有结账记录，月末个税申报后点「开始结账」',
  filters: ['period', 'status'],
  columns: [{ key: 'period', required: true }, 'startedByName', 'startedAt', 'closedByName', 'closedAt', 'opinion', 'status'],
});

/** Tab 账期: months of the doctors' book, closed in two steps by two people. */
export function Periods() {
  const layers = useLayers();
  const options = { success: '操作成功!', refreshes: [queryDoctorPeriodList] } as const;
  const begin = useCommand(startDoctorPeriodClose, options);
  const close = useCommand(closeDoctorPeriod, options);
  const abort = useCommand(abortDoctorPeriodClose, options);
  const act = async (row: PeriodRow, name: 'start' | 'close' | 'abort') => {
    const facts = factsIn(queryDoctorPeriodList.output, row, ['period', 'startedByName', 'startedAt', 'status']);
    const opinion = await askTransition(periodMachine, name, `账期${row.period}`, facts);
    if (opinion === null) return;
    if (name === 'start') await begin.run({ period: row.period });
    else if (name === 'close') await close.run({ id: row.id, version: row.version, opinion });
    else await abort.run({ id: row.id, version: row.version, opinion });
  };
  const action = (name: 'start' | 'close' | 'abort'): RowAction<PeriodRow> => ({
    label: periodMachine.transitions[name].label,
    permission: periodMachine.transitions[name].permission,
    danger: periodMachine.transitions[name].danger ?? false,
    when: ({ allowedActions }) => allowedActions.includes(name),
    act: (row) => act(row, name),
  });
  return (
    <>
      <ResourceList
        of={periods}
        actions={[action('start'), action('close'), action('abort')]}
        toolbar={(view) => (
          <>
            <Can permission={may['tax.declare']}>
              <Button type="primary" onClick={() => layers.open((done) => <StartClose onClose={done} />)}>
                开始结账
              </Button>
            </Can>
            <ExportButton call={exportDoctorPeriodList} view={view} permission={may['tax.view']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
