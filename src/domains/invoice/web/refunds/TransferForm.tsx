import { Form, Radio } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { confirmOfflineRefund as of, queryRefundList, type RefundRow } from '../../contract/calls/refunds.ts';
import { REFUND_VOUCHER } from '../../contract/purposes.ts';
import { moneyReads } from '../reads.ts';
import { PayeeAccount } from './PayeeAccount.tsx';

type Values = Omit<InputOf<typeof of>, 'refundId' | 'version' | 'voucherFileId'> & { voucherFileId?: readonly UploadedFile[] };
const results: { value: Values['result']; label: string }[] = [
  { value: 'PAID', label: '已转账' },
  { value: 'FAILED', label: '转账失败' },
];

/** 登记线下退款: the transfer with its paper, for a second person; or why it could not be made. */
export function TransferForm({ refund, onClose }: { refund: RefundRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const result = Form.useWatch('result', form) ?? 'PAID';
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`登记线下退款 ${refund.refundNo}`}
      call={of}
      form={form}
      initial={{ result: 'PAID', paidOn: todayHere() }}
      submitText={result === 'PAID' ? '提交复核' : '确定'}
      toInput={({ voucherFileId, bankSerialNo, paidOn, failReason, ...values }) => ({
        ...values,
        refundId: refund.id,
        version: refund.version,
        ...(values.result === 'PAID'
          ? { bankSerialNo, paidOn, ...(voucherFileId?.[0] && { voucherFileId: voucherFileId[0].fileId }) }
          : { failReason }),
      })}
      refreshes={moneyReads}
      success="message"
      onClose={onClose}
    >
      <Facts
        columns={2}
        facts={[
          ...factsIn(queryRefundList.output, refund, ['amountFen', 'payeeName', 'payeeBank']),
          { label: '收款账号', value: <PayeeAccount refund={refund} /> },
        ]}
      />
      <Field of={of} name="result">
        <Radio.Group options={results} />
      </Field>
      {result === 'PAID' ? (
        <>
          <Field of={of} name="bankSerialNo" starred />
          <Field of={of} name="paidOn" starred />
          <Field of={of} name="voucherFileId" starred>
            <Upload purpose={REFUND_VOUCHER} max={1} />
          </Field>
        </>
      ) : (
        <Field of={of} name="failReason" starred />
      )}
    </FormDrawer>
  );
}
