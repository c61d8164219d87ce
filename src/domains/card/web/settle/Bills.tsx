import { lazy } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { download } from '#kernel/web/http/download.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  exportBill,
  exportSettlementBillList,
  querySettlementBatchDetail,
  querySettlementBatchList,
  querySettlementBillList,
  remindBill,
  voidBill,
  type SettlementBillRow,
} from '../../contract/calls/settlement.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';

const BillLines = lazy(async () => ({ default: (await import('./BillLines.tsx')).BillLines }));
const StatementWizard = lazy(async () => ({ default: (await import('./StatementWizard.tsx')).StatementWizard }));
const ConfirmBill = lazy(async () => ({ default: (await import('./ConfirmBill.tsx')).ConfirmBill }));
const refreshes = [querySettlementBillList, querySettlementBatchList, querySettlementBatchDetail];

const billsOf = (routeKey: string, alone: boolean) =>
  resource(querySettlementBillList, {
    routeKey,
    empty: '没有符合条件的结算单',
    filters: alone
      ? [
          'billNo',
          'direction',
          'counterpartyName',
          'productCode',
          { kind: 'days', names: ['periodFrom', 'periodTo'], label: '期间' },
          'state',
          'overdue',
        ]
      : [],
    columns: [
      { key: 'billNo', required: true },
      { key: 'batchNo', hidden: !alone },
      { key: 'direction', plain: true },
      'counterpartyName',
      'productCode',
      { key: 'periodFrom', hidden: !alone },
      { key: 'periodTo', hidden: !alone },
      'lineCount',
      'gross',
      'reversal',
      'fee',
      'adjust',
      'net',
      'confirmed',
      'settled',
      'unresolved',
      'decidedBy',
      'invoiceState',
      'paymentNo',
      'dueDate',
      { key: 'overdue', kind: 'flag' },
      'state',
    ],
  });
const whole = billsOf('storedCardBatchManage.bills', true);
const ofBatch = billsOf('storedCardBatchManage.batchBills', false);

/** Bills with all that may be done with them; in a batch, or all of them. */
export function BillList({ fixed, routeKey }: { fixed?: Partial<InputOf<typeof querySettlementBillList>>; routeKey?: string }) {
  const layers = useLayers();
  const cancel = useCommand(voidBill, { success: '已作废', refreshes });
  const remind = useCommand(remindBill, { success: '操作成功!', refreshes });
  const show = (row: SettlementBillRow) => layers.open((close) => <BillLines bill={row} onClose={close} />);
  const has = (action: string) => (row: SettlementBillRow) => row.allowedActions.includes(action);
  const actions: readonly RowAction<SettlementBillRow>[] = [
    { label: '明细', act: show },
    {
      label: '确认',
      permission: may['settle.confirm'],
      when: has('confirm'),
      act: (row) => layers.open((close) => <ConfirmBill bill={row} onClose={close} />),
    },
    {
      label: '导入对账文件',
      permission: may['settle.confirm'],
      when: ({ state }) => state === 'PENDING_CONFIRM' || state === 'DISPUTED',
      act: (row) => layers.open((close) => <StatementWizard bill={row} onClose={close} />),
    },
    {
      label: '催确认',
      permission: may['settle.confirm'],
      when: has('remind'),
      act: (row) => remind.run({ billId: row.id, version: row.version }),
    },
    {
      label: '确认函',
      when: ({ confirmFileId }) => confirmFileId !== null,
      act: ({ id, confirmFileId }) =>
        layers.open((close) => (
          <FilePreview
            files={[{ fileId: confirmFileId ?? '', fileName: '确认函', detectedType: null, pageCount: null }]}
            ownerType="card.settlementBill"
            ownerId={id}
            onClose={close}
          />
        )),
    },
    { label: '对账单PDF', permission: may['card.export'], act: ({ id }) => download(exportBill, { billId: id, format: 'PDF' }) },
    { label: '对账单Excel', permission: may['card.export'], act: ({ id }) => download(exportBill, { billId: id, format: 'XLSX' }) },
    {
      label: '作废',
      permission: may['settle.audit'],
      danger: true,
      when: has('void'),
      async act(row) {
        const opinion = await confirmWithOpinion({
          title: '作废结算单',
          content: `作废后 ${row.billNo} 的明细进入下一批次。`,
          facts: factsIn(querySettlementBillList.output, row, ['billNo', 'counterpartyName', 'lineCount', 'gross', 'net']),
          danger: true,
        });
        if (opinion !== null) await cancel.run({ billId: row.id, version: row.version, opinion });
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={routeKey ? ofBatch : whole}
        {...(fixed && { fixed })}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportSettlementBillList} view={view} permission={may['card.export']} />}
      />
      {layers.shown}
    </>
  );
}

/** Tab 结算单. */
export const Bills = () => <BillList />;
