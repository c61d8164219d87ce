import { Alert, Form } from 'antd';
import { yuan } from '../../../../kernel/contract/money.ts';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import {
  confirmBill,
  querySettlementBatchDetail,
  querySettlementBatchList,
  querySettlementBillList,
  type SettlementBillRow,
} from '../../contract/calls/settlement.ts';
import { CARD_CONFIRM } from '../../contract/purposes.ts';

interface Values {
  files?: readonly UploadedFile[];
}

/** 确认 of a bill, with the counterparty's signed letter. */
export function ConfirmBill({ bill, onClose }: { bill: SettlementBillRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDialog<typeof confirmBill, Values>
      open
      title={`确认结算单 ${bill.billNo}`}
      call={confirmBill}
      form={form}
      toInput={({ files }) => ({ billId: bill.id, version: bill.version, confirmFileId: files?.[0]?.fileId ?? '' })}
      refreshes={[querySettlementBillList, querySettlementBatchList, querySettlementBatchDetail]}
      success="确认成功!"
      onClose={onClose}
    >
      {bill.unresolved > 0 && <Alert type="warning" showIcon title={`尚有${bill.unresolved}条差异未处理`} style={{ marginBottom: 12 }} />}
      <p>
        {bill.counterpartyName}　应结净额 <b>{yuan(bill.net, true)}</b> 元
      </p>
      <Form.Item label="确认函" name="files" rules={[{ required: true, message: '请上传确认函' }]}>
        <Upload purpose={CARD_CONFIRM} max={1} />
      </Form.Item>
    </FormDialog>
  );
}
