import { useData } from '#kernel/web/http/queries.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryExceptionCounts } from '../../contract/calls/exceptions.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { Exceptions } from './Exceptions.tsx';
import { ManualList } from './ManualList.tsx';

const EVERY_MS = 60_000;

/** /manualorders 手工订单处理: purchases that are registered afterwards, and what of orders no rule could finish. */
export default function ManualOrders() {
  const enabled = useMay()(may['order.view']);
  const { data } = useData(queryExceptionCounts, {}, { quiet: true, every: EVERY_MS, enabled });
  return (
    <PageParts
      parts={[
        { key: 'manual', label: '手工补录', content: ManualList },
        {
          key: 'exceptions',
          label: data ? `异常工单（${data.total}）` : '异常工单',
          permission: may['order.view'],
          content: Exceptions,
        },
      ]}
    />
  );
}
