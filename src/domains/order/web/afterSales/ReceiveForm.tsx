import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { receiveReturn as of, type AfterSaleRow } from '../../contract/calls/afterSales.ts';
import { afterSaleReads } from './reads.ts';

/** 确认收货: what the buyer sent back has come. */
export function ReceiveForm({ afterSale, onClose }: { afterSale: AfterSaleRow; onClose(): void }) {
  return (
    <FormDrawer<typeof of, { returnWaybill: string }>
      open
      title={`确认收货 ${afterSale.afterSaleNo}`}
      call={of}
      toInput={(values) => ({ ...values, afterSaleId: afterSale.id, version: afterSale.version })}
      refreshes={afterSaleReads}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={of} name="returnWaybill" />
    </FormDrawer>
  );
}
