import { todayHere } from '#kernel/web/form/today.ts';
import { Button, Form } from 'antd';
import { lazy } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { addReceipt, exportReceipt, queryReceiptList, RECEIPT_IMPORTER } from '../../contract/calls/premium.ts';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { premiumRefreshes as refreshes } from './premiumList.tsx';

const SettleDialog = lazy(async () => ({ default: (await import('./SettleDialog.tsx')).SettleDialog }));

const receipts = resource(queryReceiptList, {
  routeKey: 'insurancePremiumOrderInquiry.receipts',
  empty: '没有符合条件的到账记录',
  filters: ['direction', 'payerName', 'bankFlowNo', 'unallocated', { kind: 'days', names: ['paidFrom', 'paidTo'], label: '到账日期' }],
  columns: [
    { key: 'bankFlowNo', required: true },
    'direction',
    'payerName',
    'paidOn',
    'amountFen',
    'allocatedFen',
    'restFen',
    'bankAccount',
    { key: 'source', plain: true },
    'createdAt',
  ],
});

type Values = InputOf<typeof addReceipt>;

function NewReceipt({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const of = addReceipt;
  return (
    <FormDrawer<typeof addReceipt, Values>
      open
      title="登记到账"
      call={addReceipt}
      form={form}
      initial={{ direction: 'COLLECT', paidOn: todayHere() }}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={of} name="direction" />
      <Field of={of} name="amountFen" />
      <Field of={of} name="paidOn" />
      <Field of={of} name="payerName" />
      <Field of={of} name="bankFlowNo" />
      <Field of={of} name="bankAccount" />
    </FormDrawer>
  );
}

/** Tab 到账记录: bank money, what of it is not shared yet first. */
export function Receipts() {
  const layers = useLayers();
  return (
    <>
      <ResourceList
        of={receipts}
        actions={[
          {
            label: '分配',
            permission: may['premium.receipt'],
            when: ({ restFen }) => restFen !== '0',
            act: (row) => layers.open((close) => <SettleDialog receipt={row} onClose={close} />),
          },
        ]}
        toolbar={(view) => (
          <>
            <Button type="primary" onClick={() => layers.open((close) => <NewReceipt onClose={close} />)}>
              登记到账
            </Button>
            <ImportButton
              importerCode={RECEIPT_IMPORTER}
              permission={may['premium.receipt']}
              label="导入银行流水"
              onChanged={view.refetch}
            />
            <ExportButton call={exportReceipt} view={view} permission={may['premium.receipt']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
