import { useEffect } from 'react';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { StatementSheet } from '#kernel/web/kit/StatementSheet.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { fulfilmentCard, queryFulfilmentDetail, type FulfilmentCard } from '../../contract/calls/fulfilments.ts';

const columns = columnsOf<FulfilmentCard['lines'][number]>(fulfilmentCard.shape.lines.def.element, [
  'goodsCode',
  'goodsName',
  'spec',
  'quantity',
]);

/** 拣货单 of one part, for the printer. */
export function PickingList({ record, onClose }: PageWindowProps) {
  const { data, error } = useData(queryFulfilmentDetail, { fulfilmentId: record }, { quiet: true });
  useEffect(() => {
    if (!error) return;
    toastError(failureText(error));
    onClose();
  }, [error, onClose]);
  if (!data) return null;
  return (
    <StatementSheet
      title={`拣货单 ${data.fulfilmentNo}`}
      facts={[
        { label: '供应商', value: data.supplierName },
        { label: '订单号', value: data.orderNo },
        { label: '收货人', value: data.receiverName ?? '门店自提' },
        { label: '省市', value: data.regionText ?? '' },
        { label: '冷链', value: data.lines.some(({ coldChain }) => coldChain) ? '含冷链药品，全程2–8℃' : '否' },
      ]}
      columns={columns}
      rows={data.lines}
      foot="拣货人：__________ / 复核人：__________ / 日期：__________"
      onClose={onClose}
    />
  );
}
