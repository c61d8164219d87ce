import { Modal } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportSettleRunList, querySettleRunList, querySettleRunSkips, type RunRow } from '../../contract/calls/bills.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { PayerSelect } from '../PayerSelect.tsx';

const runs = resource(querySettleRunList, {
  routeKey: 'doctorSettlement.runs',
  empty: '还没有批算记录',
  filters: ['period', { kind: 'picker', name: 'payerEntityId', picker: PayerSelect }],
  columns: [
    { key: 'runNo', required: true },
    'period',
    'payerName',
    'grossFen',
    'billCount',
    'rolledCount',
    'startedByName',
    'createdAt',
    'finishedAt',
    'status',
  ],
});

function Skips({ run, onClose }: { run: RunRow; onClose(): void }) {
  const { data } = useData(querySettleRunSkips, { id: run.id });
  return (
    <Modal open title={`未出单医生 ${run.runNo}`} footer={null} onCancel={onClose}>
      {data?.length === 0 && <p className="kq-muted">所有医生都已出单</p>}
      <ul>
        {data?.map((one) => (
          <li key={one.doctorName}>
            {one.doctorName}：{yuan(one.grossFen, true)} 元，{one.reason}
          </li>
        ))}
      </ul>
    </Modal>
  );
}

/** Tab 批算记录. */
export function Runs() {
  const layers = useLayers();
  const show = (run: RunRow) => layers.open((close) => <Skips run={run} onClose={close} />);
  const actions: readonly RowAction<RunRow>[] = [{ label: '未出单医生', act: show }];
  return (
    <>
      <ResourceList
        of={runs}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportSettleRunList} view={view} permission={may['bill.export']} />}
      />
      {layers.shown}
    </>
  );
}
