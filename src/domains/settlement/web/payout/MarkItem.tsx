import { Form, Select } from 'antd';
import { bankResults } from '#kernel/contract/bank.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { markPayoutItem, queryPayoutItemList, type PayoutItemRow } from '../../contract/calls/payouts.ts';
import { PAYOUT_PROOF } from '../../contract/purposes.ts';
import { payoutReads } from './usePayoutActions.ts';

type Result = 'SUCCESS' | 'FAILED' | 'RETURNED';
interface Values {
  result: Result;
  bankSerialNo?: string;
  bankDay?: string;
  failReason?: string;
  fileIds?: readonly UploadedFile[];
}
const of = markPayoutItem;

/** 登记结果: what the bank said of a payment by its paper. */
export function MarkItem({ row, onClose }: { row: PayoutItemRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const choices: readonly Result[] = row.status === 'SUCCESS' ? ['RETURNED'] : ['SUCCESS', 'FAILED'];
  const result = Form.useWatch('result', form) ?? choices[0]!;
  return (
    <FormDrawer<typeof markPayoutItem, Values>
      open
      title={`登记付款结果 ${row.bizRef}`}
      call={of}
      form={form}
      initial={{ result: choices[0]! }}
      toInput={({ fileIds, bankSerialNo, bankDay, failReason, ...values }) => ({
        ...values,
        ...(bankSerialNo && { bankSerialNo }),
        ...(bankDay && { bankDay }),
        ...(failReason && { failReason }),
        id: row.id,
        version: row.version,
        fileIds: (fileIds ?? []).map(({ fileId }) => fileId),
      })}
      refreshes={payoutReads}
      success="操作成功!"
      onClose={onClose}
    >
      <Facts facts={factsIn(queryPayoutItemList.output, row, ['doctorName', 'payeeName', 'accountMasked', 'netFen', 'status'])} />
      <Field of={of} name="result">
        <Select options={choices.map((value) => ({ value, label: bankResults.label(value) }))} />
      </Field>
      {result === 'SUCCESS' ? (
        <>
          <Field of={of} name="bankSerialNo" starred />
          <Field of={of} name="bankDay" starred />
        </>
      ) : (
        <Field of={of} name="failReason" starred />
      )}
      <Field of={of} name="fileIds">
        <Upload purpose={PAYOUT_PROOF} max={3} />
      </Field>
    </FormDrawer>
  );
}
