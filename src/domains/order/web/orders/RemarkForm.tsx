import { Skeleton } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { addOrderRemark as of, queryOrderDetail, type OrderRow } from '../../contract/calls/orders.ts';
import { orderReads } from './reads.ts';

/** 备注: what colleagues are to know of an order. */
export function RemarkForm({ order, onClose }: { order: OrderRow; onClose(): void }) {
  const { data } = useData(queryOrderDetail, { orderId: order.id }, { quiet: true });
  return (
    <FormDrawer<typeof of, { staffRemark: string }>
      open
      title={`备注 ${order.orderNo}`}
      call={of}
      initial={{ staffRemark: data?.staffRemark ?? '' }}
      recordKey={data === undefined ? 'none' : data.order.version}
      toInput={(values) => ({ ...values, orderId: order.id, version: data?.order.version ?? order.version })}
      refreshes={orderReads}
      success="修改成功!"
      onClose={onClose}
    >
      {data ? (
        <Field of={of} name="staffRemark">
          <TextArea rows={4} most={200} />
        </Field>
      ) : (
        <Skeleton active />
      )}
    </FormDrawer>
  );
}
