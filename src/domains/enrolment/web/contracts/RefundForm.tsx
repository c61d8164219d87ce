import { Form } from 'antd';
import type { InputOf, OutputOf } from '#kernel/contract/call.ts';
import { yuan } from '#kernel/contract/money.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { addContractRefund as of, type queryContractPayDetail } from '../../contract/calls/contractPays.ts';
import { contractReads } from './reads.ts';

type Pay = OutputOf<typeof queryContractPayDetail>['pays'][number];
type Values = Omit<InputOf<typeof of>, 'payId'>;

/** 申请退款: waits for finance. */
export function RefundForm({ pay, onClose }: { pay: Pay; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const left = pay.amountFen - pay.refundedFen;
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`申请退款 ${pay.payNo}`}
      call={of}
      form={form}
      initial={{ amountFen: left }}
      submitText="提交复核"
      toInput={(values) => ({ ...values, payId: pay.id })}
      refreshes={contractReads}
      success="提交成功!"
      onClose={onClose}
    >
      <Facts
        columns={2}
        facts={[
          { label: '已付', value: `${yuan(pay.amountFen, true)}元` },
          { label: '可退', value: `${yuan(left, true)}元` },
        ]}
      />
      <Field of={of} name="amountFen" />
      <Field of={of} name="reason" />
    </FormDrawer>
  );
}
