import { Checkbox } from 'antd';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { auditManualOrder as of, queryManualOrderList, type ManualOrderDetail } from '../../contract/calls/manualOrders.ts';
import { manualRejectReasons } from '../../contract/manualOrderDictionaries.ts';
import { LikeOrders } from './LikeOrders.tsx';
import { manualReads } from './reads.ts';

interface Values {
  reasonCodes: (typeof manualRejectReasons.codes)[number][];
  notDuplicate: boolean;
  priceChecked: boolean;
  opinion: string;
}
interface Props {
  data: ManualOrderDetail;
  decision: 'approve' | 'reject';
  onClose(): void;
}

/** 复核: what was looked at before it passes, or why it does not. */
export function ReviewForm({ data, decision, onClose }: Props) {
  const { manualOrder: row } = data;
  const passes = decision === 'approve';
  return (
    <FormDrawer<typeof of, Values>
      open
      width={720}
      title={`${passes ? '复核通过' : '驳回'} ${row.manualNo}`}
      call={of}
      initial={{ reasonCodes: [], notDuplicate: false, priceChecked: false, opinion: '' }}
      toInput={(values) => ({
        ...values,
        manualOrderId: row.id,
        version: row.version,
        level: data.isHigh ? 'HIGH' : 'NORMAL',
        decision,
      })}
      submitText={passes ? '复核通过' : '驳回'}
      refreshes={manualReads}
      success="message"
      onClose={onClose}
    >
      <Facts
        columns={2}
        facts={factsIn(queryManualOrderList.output, row, [
          'buyerName',
          'drugstoreName',
          'receiptNo',
          'purchaseDate',
          'goodsFen',
          'benefitFen',
          'cardFen',
          'selfPayFen',
        ])}
      />
      {passes && data.duplicates.length > 0 && (
        <>
          <LikeOrders data={data} />
          <Field of={of} name="notDuplicate" label="重复判定">
            <Checkbox>已与相似订单核对，判定为非重复</Checkbox>
          </Field>
        </>
      )}
      {passes && data.lines.some(({ deviates }) => deviates) && (
        <Field of={of} name="priceChecked" label="价格核对">
          <Checkbox>单价偏离门店价目超过20%，已与小票核对</Checkbox>
        </Field>
      )}
      {!passes && (
        <Field of={of} name="reasonCodes" starred>
          <Checkbox.Group options={manualRejectReasons.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
      )}
      <Field of={of} name="opinion" starred={!passes} />
    </FormDrawer>
  );
}
