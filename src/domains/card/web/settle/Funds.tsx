import { todayHere } from '#kernel/web/form/today.ts';
import { Button, Form, Modal } from 'antd';
import { CheckDialog } from '#kernel/web/audit/CheckDialog.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  addFundPrepay,
  auditFundPrepay,
  exportFundBalanceList,
  exportFundPrepayList,
  queryFundBalanceList,
  queryFundPrepayList,
  type FundPrepayRow,
} from '../../contract/calls/funds.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { CARD_VOUCHER } from '../../contract/purposes.ts';
import { CardTypeSelect } from './CardTypeSelect.tsx';

const refreshes = [queryFundBalanceList, queryFundPrepayList];
const balances = resource(queryFundBalanceList, {
  routeKey: 'storedCardBatchManage.funds',
  rowKey: 'key',
  empty: '还没有出资方预付',
  columns: [{ key: 'funderType', plain: true }, { key: 'funderName', required: true }, 'productCode', 'prepaid', 'used', 'left', 'pending'],
});
const prepays = resource(queryFundPrepayList, {
  routeKey: 'storedCardBatchManage.prepays',
  empty: '没有符合条件的登记',
  filters: ['prepayNo', 'bankSerialNo', 'funderName', 'status', { kind: 'days', names: ['dateFrom', 'dateTo'], label: '到账日期' }],
  columns: [
    { key: 'prepayNo', required: true },
    { key: 'funderType', plain: true },
    'funderName',
    'productCode',
    'amount',
    'bankSerialNo',
    'receivedOn',
    'status',
    'createdBy',
    'createdAt',
    'confirmedBy',
    'opinion',
  ],
});

interface Values {
  cardTypeId: string;
  amount: number;
  bankSerialNo: string;
  receivedOn: string;
  voucherFileId?: readonly UploadedFile[];
}

function PrepayForm({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof addFundPrepay, Values>
      open
      title="登记到账"
      call={addFundPrepay}
      form={form}
      initial={{ receivedOn: todayHere() }}
      toInput={({ voucherFileId, ...values }) => ({ ...values, voucherFileId: voucherFileId?.[0]?.fileId ?? '' })}
      refreshes={refreshes}
      success="提交成功!"
      onClose={onClose}
    >
      <Field of={addFundPrepay} name="cardTypeId">
        <CardTypeSelect />
      </Field>
      <Field of={addFundPrepay} name="amount">
        <MoneyInput />
      </Field>
      <Field of={addFundPrepay} name="bankSerialNo" />
      <Field of={addFundPrepay} name="receivedOn">
        <DayInput />
      </Field>
      <Field of={addFundPrepay} name="voucherFileId">
        <Upload purpose={CARD_VOUCHER} max={1} />
      </Field>
    </FormDrawer>
  );
}

/** What was registered, with the paper that it is based on. */
function PrepayFacts({ row }: { row: FundPrepayRow }) {
  const { voucherFileId } = row;
  return (
    <Facts
      facts={factsIn(queryFundPrepayList.output, row, [
        'funderName',
        'productCode',
        'amount',
        'bankSerialNo',
        'receivedOn',
        {
          label: '到账凭证',
          value: voucherFileId && (
            <FileButtons
              files={[{ fileId: voucherFileId, fileName: '查看凭证', detectedType: null, pageCount: null }]}
              ownerType="card.fundPrepay"
              ownerId={row.id}
            />
          ),
        },
      ])}
    />
  );
}

function Check({ row, onClose }: { row: FundPrepayRow; onClose(): void }) {
  const command = useCommand(auditFundPrepay, { success: '复核完成!', refreshes });
  const decide = async (decision: 'approve' | 'reject', opinion: string) => {
    if (await command.run({ prepayId: row.id, version: row.version, decision, opinion })) onClose();
  };
  return (
    <CheckDialog
      title={`复核预付 ${row.prepayNo}`}
      maker={{ id: null, name: row.createdBy }}
      amountFen={row.amount}
      ownText="不能复核本人登记的到账"
      busy={command.flying}
      onPass={(opinion) => decide('approve', opinion)}
      onReject={(opinion) => decide('reject', opinion)}
      onClose={onClose}
    >
      <PrepayFacts row={row} />
    </CheckDialog>
  );
}

/** Tab 出资方预付: what each funder paid in advance, and what is left. */
export function Funds() {
  const layers = useLayers();
  const show = (row: FundPrepayRow) =>
    layers.open((close) => (
      <Modal open title={`到账登记 ${row.prepayNo}`} width={720} footer={null} onCancel={close}>
        <PrepayFacts row={row} />
      </Modal>
    ));
  const actions: readonly RowAction<FundPrepayRow>[] = [
    { label: '查看', act: show },
    {
      label: '复核',
      permission: may['fund.audit'],
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      act: (row) => layers.open((close) => <Check row={row} onClose={close} />),
    },
  ];
  return (
    <>
      <Section title="预付余额">
        <ResourceList
          of={balances}
          toolbar={(view) => <ExportButton call={exportFundBalanceList} view={view} permission={may['card.export']} />}
        />
      </Section>
      <Section title="到账登记">
        <ResourceList
          of={prepays}
          onRowClick={show}
          actions={actions}
          toolbar={(view) => (
            <>
              <Can permission={may['fund.edit']}>
                <Button type="primary" onClick={() => layers.open((close) => <PrepayForm onClose={close} />)}>
                  登记到账
                </Button>
              </Can>
              <ExportButton call={exportFundPrepayList} view={view} permission={may['card.export']} />
            </>
          )}
        />
      </Section>
      {layers.shown}
    </>
  );
}
