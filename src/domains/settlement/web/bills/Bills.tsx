import { Button } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  auditSettlementBill,
  exportSettlementBillList,
  querySettlementBillList,
  submitSettlementBill,
  type BillRow,
} from '../../contract/calls/bills.ts';
import { billMachine } from '../../contract/billStates.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { PayerSelect } from '../PayerSelect.tsx';
import { useBillActions, type BillAction } from './useBillActions.ts';

const NewRun = lazy(async () => ({ default: (await import('./NewRun.tsx')).NewRun }));
const BillDrawer = lazy(async () => ({ default: (await import('./BillDrawer.tsx')).BillDrawer }));

const bills = resource(querySettlementBillList, {
  routeKey: 'doctorSettlement',
  empty: '还没有结算单，点「发起批算」生成',
  filters: [
    'period',
    'billNo',
    { kind: 'picker', name: 'doctorId', picker: DoctorPicker },
    { kind: 'picker', name: 'payerEntityId', picker: PayerSelect },
    'status',
    'minFen',
    'maxFen',
  ],
  columns: [
    { key: 'billNo', required: true },
    'doctorName',
    'period',
    'hospitalName',
    'grossFen',
    'estTaxFen',
    'estNetFen',
    'itemCount',
    'consultFen',
    'followUpFen',
    'incentiveFen',
    'adjustFen',
    'clawbackFen',
    'carryInFen',
    { key: 'meanFen', hidden: true },
    'payerName',
    { key: 'submittedByName', hidden: true },
    { key: 'auditedByName', hidden: true },
    { key: 'holdReason', hidden: true },
    { key: 'updatedAt', hidden: true },
    'status',
  ],
});

/** Tab 结算单: one doctor's month each. */
export function Bills() {
  const layers = useLayers();
  const act = useBillActions();
  const show = (row: BillRow) => layers.open((close) => <BillDrawer id={row.id} onClose={close} />);
  const action = (name: BillAction, label = billMachine.transitions[name].label): RowAction<BillRow> => ({
    label,
    permission: billMachine.transitions[name].permission,
    danger: billMachine.transitions[name].danger ?? false,
    when: ({ allowedActions }) => allowedActions.includes(name),
    act: (row) => act(row, name),
  });
  const actions: readonly RowAction<BillRow>[] = [
    { label: '查看', act: show },
    action('submit'),
    action('approve'),
    action('reject'),
    action('recalc'),
    action('hold'),
    action('unholdCalculated'),
    action('retryPay'),
    action('void'),
  ];
  const batch: readonly BatchAction<BillRow>[] = [
    {
      label: '批量提交',
      permission: may['bill.submit'],
      when: ({ allowedActions }) => allowedActions.includes('submit'),
      nameOf: ({ billNo }) => billNo,
      each: ({ id, version }) => send(submitSettlementBill, { id, version }, { quiet: true }),
    },
    {
      label: '批量审核通过',
      permission: may['bill.audit'],
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      opinion: 'required',
      nameOf: ({ billNo }) => billNo,
      each: ({ id, version }, opinion) => send(auditSettlementBill, { id, version, decision: 'approve', opinion }, { quiet: true }),
    },
  ];
  return (
    <>
      <ResourceList
        of={bills}
        actions={actions}
        batch={batch}
        onRowClick={show}
        toolbar={(view) => (
          <>
            <Can permission={may['bill.run']}>
              <Button type="primary" onClick={() => layers.open((close) => <NewRun onClose={close} />)}>
                发起批算
              </Button>
            </Can>
            <ExportButton call={exportSettlementBillList} view={view} permission={may['bill.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
