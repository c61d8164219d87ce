import { Alert, Form } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import {
  confirmBill,
  querySettlementBatchDetail,
  querySettlementBatchList,
  querySettlementBillList,
  type SettlementBillRow,
} from '../../contract/calls/settlement.ts';
import { CARD_CONFIRM } from '../../contract/purposes.ts';

interface Values {
  confirmFileId?: readonly UploadedFile[];
}

/** 确认 of a bill, with the counterparty's signed letter. */
export function ConfirmBill({ bill, onChanged, onClose }: { bill: SettlementBillRow; onChanged?(): void; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDialog<typeof confirmBill, Values>
      open
      title={`确认结算单 ${bill.billNo}`}
      call={confirmBill}
      form={form}
      toInput={({ confirmFileId }) => ({ billId: bill.id, version: bill.version, confirmFileId: confirmFileId?.[0]?.fileId ?? '' })}
      refreshes={[querySettlementBillList, querySettlementBatchList, querySettlementBatchDetail]}
      success="确认成功!"
      {...(onChanged && { onDone: () => onChanged() })}
      onClose={onClose}
    >
      {bill.unresolved > 0 && <Alert type="warning" showIcon title={`尚有${bill.unresolved}条差异未处理`} style={{ marginBottom: 12 }} />}
      {bill.net < 0 && (
        <Alert type="info" showIcon title={`净额为负，确认后${yuan(-bill.net, true)}元结转下期`} style={{ marginBottom: 12 }} />
      )}
      {bill.decidedBy && (
        <Alert
          type="info"
          showIcon
          title={`本单以对方为准的差异由${bill.decidedBy}登记或处理，请您核对后确认`}
          style={{ marginBottom: 12 }}
        />
      )}
      <p>
        {bill.counterpartyName}　应结净额 <b>{yuan(bill.net, true)}</b> 元
      </p>
      <Field of={confirmBill} name="confirmFileId">
        <Upload purpose={CARD_CONFIRM} max={1} />
      </Field>
    </FormDialog>
  );
}
