import { Form, Select } from 'antd';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { cancelOrder as of, queryOrderList, type OrderRow } from '../../contract/calls/orders.ts';
import { cancelReasons, CHOSEN_CANCELS } from '../../contract/orderDictionaries.ts';
import { orderReads } from './reads.ts';

interface Values {
  reasonCode: (typeof CHOSEN_CANCELS)[number];
  opinion: string;
}

/** 取消订单: what was paid goes back the way it came. */
export function CancelForm({ order, onClose }: { order: OrderRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`取消订单 ${order.orderNo}`}
      call={of}
      form={form}
      toInput={(values) => ({ ...values, orderId: order.id, version: order.version })}
      refreshes={orderReads}
      success="message"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(queryOrderList.output, order, ['buyerName', 'goodsText', 'payableFen', 'selfPayFen'])} />
      {order.paidAt !== null && <p className="kq-muted">订单已支付，取消后款项与卡券原路退回。</p>}
      <Field of={of} name="reasonCode">
        <Select options={CHOSEN_CANCELS.map((value) => ({ value, label: cancelReasons.label(value) }))} />
      </Field>
      <Field of={of} name="opinion" />
    </FormDrawer>
  );
}
