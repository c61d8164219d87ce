import { Form, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { atMost } from '#kernel/web/form/formRules.ts';
import { queryPaymentList, type PaymentRow } from '../../contract/calls/payments.ts';
import { addRefund as of } from '../../contract/calls/refunds.ts';
import { refundWays } from '../../contract/dictionaries.ts';
import { moneyReads } from '../reads.ts';
import { PayeeFields } from './PayeeFields.tsx';

type Values = Omit<InputOf<typeof of>, 'paymentId'>;

/** 新建退款: another person looks at it, then it goes back in a batch. */
export function RefundForm({ payment, onClose }: { payment: PaymentRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const way = Form.useWatch('way', form);
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`新建退款 ${payment.paymentNo}`}
      call={of}
      form={form}
      initial={{ amountFen: payment.refundableFen, way: 'ORIGINAL' }}
      submitText="提交审核"
      toInput={(values) => ({ ...values, paymentId: payment.id })}
      refreshes={moneyReads}
      success="message"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(queryPaymentList.output, payment, ['sourceNo', 'channel', 'receivedFen', 'refundableFen'])} />
      <Field of={of} name="amountFen" rules={[atMost('退款金额', payment.refundableFen)]} />
      <Field of={of} name="way">
        <Select options={[...refundWays.options]} />
      </Field>
      {way === 'OFFLINE' && <PayeeFields of={of} />}
      <Field of={of} name="reason" />
    </FormDrawer>
  );
}
