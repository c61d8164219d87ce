import { Form } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { AddressInput, RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { modifyOrderAddress as of, type OrderRow } from '../../contract/calls/orders.ts';
import { orderReads } from './reads.ts';

interface Values {
  receiverName: string;
  receiverMobile: string;
  adcode: string;
  addressDetail: string;
}

/** 修改地址: what is stored is masked, so all of it is entered anew. */
export function AddressForm({ order, onClose }: { order: OrderRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`修改地址 ${order.orderNo}`}
      call={of}
      form={form}
      toInput={(values) => ({ ...values, orderId: order.id, version: order.version })}
      refreshes={orderReads}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={of} name="receiverName" />
      <Field of={of} name="receiverMobile" />
      <Field of={of} name="adcode">
        <RegionPicker />
      </Field>
      <Field of={of} name="addressDetail">
        <AddressInput />
      </Field>
    </FormDrawer>
  );
}
