import { Checkbox, Form } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { auditRx as of, type OrderRow } from '../../contract/calls/orders.ts';
import { rxReasons } from '../../contract/orderDictionaries.ts';
import { orderReads } from './reads.ts';

interface Values {
  result: 'FAILED';
  reasonCodes: (typeof rxReasons.codes)[number][];
  opinion: string;
}

/** 审方不通过: the order ends; nobody has paid anything yet. */
export function RxRefuse({ order, leaseToken, onClose }: { order: OrderRow; leaseToken: string; onClose(): void }) {
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`审方不通过 ${order.orderNo}`}
      call={of}
      initial={{ result: 'FAILED', reasonCodes: [] }}
      toInput={(values) => ({ ...values, orderId: order.id, version: order.version, leaseToken })}
      refreshes={orderReads}
      success="修改成功!"
      onClose={onClose}
    >
      <Form.Item name="result" hidden>
        <input type="hidden" />
      </Form.Item>
      <Field of={of} name="reasonCodes">
        <Checkbox.Group options={rxReasons.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      <Field of={of} name="opinion" />
    </FormDrawer>
  );
}
