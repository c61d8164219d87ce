import { Form, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { queryRefundList, reopenRefund as of, type RefundRow } from '../../contract/calls/refunds.ts';
import { refundWays } from '../../contract/dictionaries.ts';
import { moneyReads } from '../reads.ts';
import { PayeeFields } from './PayeeFields.tsx';

type Values = Omit<InputOf<typeof of>, 'refundId' | 'version'>;

/** 重新处理 of what failed: once more the way it came, or by transfer. */
export function ReopenForm({ refund, onClose }: { refund: RefundRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const way = Form.useWatch('way', form);
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`重新处理 ${refund.refundNo}`}
      call={of}
      form={form}
      initial={{ way: 'ORIGINAL' }}
      toInput={(values) => ({ ...values, refundId: refund.id, version: refund.version })}
      refreshes={moneyReads}
      success="message"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(queryRefundList.output, refund, ['paymentNo', 'sourceNo', 'amountFen', 'failReason'])} />
      <Field of={of} name="way" extra={way === 'OFFLINE' ? '改为线下退款须重新审核，再加入批次执行' : '原路退回转为待退款，加入批次后执行'}>
        <Select options={[...refundWays.options]} />
      </Field>
      {way === 'OFFLINE' && <PayeeFields of={of} />}
    </FormDrawer>
  );
}
